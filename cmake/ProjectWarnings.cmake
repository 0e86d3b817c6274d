# SPDX-License-Identifier: Apache-2.0
# One function, guardlint_target(TARGET): the warnings and sanitizers every target of the project is built with.

function(guardlint_target target)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:C,CXX>:-Wall;-Wextra;-Wshadow;-Wconversion>)
  if(GUARDLINT_WERROR)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:C,CXX>:-Werror>)
  endif()
  if(GUARDLINT_SANITIZE)
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=${GUARDLINT_SANITIZE};-fno-omit-frame-pointer;-fno-sanitize-recover=all>)
    target_link_options(${target} PRIVATE -fsanitize=${GUARDLINT_SANITIZE})
  endif()
endfunction()
