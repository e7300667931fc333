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

# The agent runs in programs that have no sanitizer runtime, so only the other side gets them.
add_library(spyglass_sanitizers INTERFACE)
if(SPYGLASS_SANITIZE)
    target_compile_options(spyglass_sanitizers INTERFACE -fsanitize=${SPYGLASS_SANITIZE} -fno-omit-frame-pointer)
    target_link_options(spyglass_sanitizers INTERFACE -fsanitize=${SPYGLASS_SANITIZE})
    if(SPYGLASS_SANITIZE MATCHES "undefined")
        target_compile_options(spyglass_sanitizers INTERFACE -fno-sanitize-recover=undefined)
    endif()
endif()

# spyglass_room(NAME [GUEST] SOURCES ... [DEPENDS ...])
# A GUEST room is also there as NAME_guest: what the agent links. Without sanitizers both are the same.
function(spyglass_room name)
    cmake_parse_arguments(ROOM "GUEST" "" "SOURCES;DEPENDS" ${ARGN})
    add_library(${name} STATIC ${ROOM_SOURCES})
    target_link_libraries(${name} PUBLIC spyglass_options spyglass_sanitizers ${ROOM_DEPENDS})
    set(guest_options -fno-exceptions -fno-rtti -fno-asynchronous-unwind-tables)
    if(ROOM_GUEST)
        target_compile_options(${name} PRIVATE ${guest_options})
    endif()
    if(ROOM_GUEST AND SPYGLASS_SANITIZE)
        list(TRANSFORM ROOM_DEPENDS APPEND _guest)
        add_library(${name}_guest STATIC ${ROOM_SOURCES})
        target_link_libraries(${name}_guest PUBLIC spyglass_options ${ROOM_DEPENDS})
        target_compile_options(${name}_guest PRIVATE ${guest_options})
    elseif(ROOM_GUEST)
        add_library(${name}_guest ALIAS ${name})
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
