# SPDX-FileCopyrightText: Spyglass contributors
# SPDX-License-Identifier: Apache-2.0
#
# A room is a folder below src/ and one static library. Whether it runs in the target decides how it
# is compiled: guest rooms know no exceptions, because none may cross into the interpreter.

add_library(spyglass_options INTERFACE)
target_include_directories(spyglass_options INTERFACE ${CMAKE_SOURCE_DIR}/src)
target_compile_options(spyglass_options INTERFACE -Wall -Wextra -Wpedantic -Wno-gnu-zero-variadic-macro-arguments
                       -Wshadow -Wconversion -Wno-sign-conversion)
if(SPYGLASS_WERROR)
    target_compile_options(spyglass_options INTERFACE -Werror)
endif()
if(SPYGLASS_SANITIZE)
    target_compile_options(spyglass_options INTERFACE -fsanitize=${SPYGLASS_SANITIZE}
                           -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
    target_link_options(spyglass_options INTERFACE -fsanitize=${SPYGLASS_SANITIZE})
endif()

# spyglass_room(NAME [GUEST] SOURCES ... [DEPENDS ...])
function(spyglass_room name)
    cmake_parse_arguments(ROOM "GUEST" "" "SOURCES;DEPENDS" ${ARGN})
    add_library(${name} STATIC ${ROOM_SOURCES})
    target_link_libraries(${name} PUBLIC spyglass_options ${ROOM_DEPENDS})
    if(ROOM_GUEST)
        target_compile_options(${name} PRIVATE -fno-exceptions -fno-rtti -fno-asynchronous-unwind-tables)
    endif()
endfunction()

# spyglass_unit_test(ROOM SOURCES ... [DEPENDS ...]): one test program per room, tests/unit/ROOM.
function(spyglass_unit_test room)
    cmake_parse_arguments(TEST "" "" "SOURCES;DEPENDS" ${ARGN})
    set(target test_${room})
    add_executable(${target} ${TEST_SOURCES})
    target_link_libraries(${target} PRIVATE ${TEST_DEPENDS} GTest::gtest GTest::gmock GTest::gtest_main)
    add_test(NAME unit.${room} COMMAND ${target})
endfunction()
