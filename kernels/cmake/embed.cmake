# SPDX-License-Identifier: Apache-2.0
# cmake -DNAME=symbol [-DINPUT=file] -DOUTPUT=file.c -P embed.cmake
# Writes a C file that defines `const void *const symbol`: the input's bytes as an array of 64-bit words (a fat binary
# must lie at eight bytes), or NULL without an input.
if(NOT DEFINED INPUT)
  file(WRITE ${OUTPUT} "/* Generated. */\n#include <stddef.h>\nextern const void *const ${NAME};\nconst void *const ${NAME} = NULL;\n")
  return()
endif()
file(READ ${INPUT} bytes HEX)
string(LENGTH "${bytes}" digits)
math(EXPR missing "(16 - ${digits} % 16) % 16")
string(REPEAT "0" ${missing} padding)
string(REGEX REPLACE "(..)(..)(..)(..)(..)(..)(..)(..)" "0x\\8\\7\\6\\5\\4\\3\\2\\1,\n" words "${bytes}${padding}")
file(WRITE ${OUTPUT} "/* Generated. */\n#include <stdint.h>\n"
  "#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__\n#error \"the image is written for little-endian hosts\"\n#endif\n"
  "static const uint64_t words[] = {\n${words}};\n"
  "extern const void *const ${NAME};\nconst void *const ${NAME} = words;\n")
