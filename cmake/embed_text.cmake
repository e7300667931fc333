# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DINPUT=FILE -DOUTPUT=FILE.cpp -DSYMBOL=a::b::name -P embed_text.cmake: a text as a constant.
file(READ ${INPUT} text)
string(REGEX MATCH "^(.*)::([a-z_]+)$" matched ${SYMBOL})
file(WRITE ${OUTPUT} "namespace ${CMAKE_MATCH_1} {\nextern const char ${CMAKE_MATCH_2}[];\nconst char ${CMAKE_MATCH_2}[] = R\"embedded(${text})embedded\";\n}\n")
