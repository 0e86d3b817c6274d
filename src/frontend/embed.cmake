# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT, a C file with the text of every header below FOLDER.
#   cmake -DFOLDER=… -DOUTPUT=… -P embed.cmake
file(GLOB_RECURSE headers RELATIVE ${FOLDER} ${FOLDER}/*)
list(SORT headers)
set(arrays "")
set(rows "")
set(index 0)
foreach(header ${headers})
  file(READ ${FOLDER}/${header} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(APPEND arrays "static const char text_${index}[] = {${bytes}0};\n")
  string(APPEND rows "    {\"${header}\", text_${index}, sizeof text_${index} - 1},\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE ${OUTPUT}
  "#include \"frontend/builtin.h\"\n${arrays}"
  "const struct gl_builtin_header gl_builtin_headers[] = {\n${rows}};\n"
  "const size_t gl_builtin_header_count = ${index};\n")
