# SPDX-License-Identifier: Apache-2.0
# Finds an nvcc that works, and turns NAME.cu into a C file with its fat binary. Nothing here may stop a build on a
# machine without nvcc, or with one that is broken, unless GUARDKERNELS_CUDA is "on".

# A list as CMAKE_CUDA_ARCHITECTURES has it, as nvcc's options.
function(guardkernels_architectures architectures out_options)
  set(options)
  foreach(architecture IN LISTS architectures)
    if(architecture MATCHES "^([0-9]+[a-z]?)-real$")
      list(APPEND options -gencode=arch=compute_${CMAKE_MATCH_1},code=sm_${CMAKE_MATCH_1})
    elseif(architecture MATCHES "^([0-9]+[a-z]?)-virtual$")
      list(APPEND options -gencode=arch=compute_${CMAKE_MATCH_1},code=compute_${CMAKE_MATCH_1})
    elseif(architecture MATCHES "^[0-9]+[a-z]?$")
      list(APPEND options -gencode=arch=compute_${architecture},code=[compute_${architecture},sm_${architecture}])
    else() # all, all-major, native: nvcc knows them by these names
      list(APPEND options -arch=${architecture})
    endif()
  endforeach()
  set(${out_options} ${options} PARENT_SCOPE)
endfunction()

# Sets guardkernels_nvcc (empty when the host twins must do) and guardkernels_nvcc_options.
function(guardkernels_find_nvcc)
  set(guardkernels_nvcc "" PARENT_SCOPE)
  if(GUARDKERNELS_CUDA STREQUAL "off")
    message(STATUS "kernels: without GPU code (GUARDKERNELS_CUDA is off): host twins only")
    return()
  endif()
  set(wanted ${CMAKE_CUDA_COMPILER} $ENV{CUDACXX})
  find_program(GUARDKERNELS_NVCC NAMES ${wanted} nvcc
    HINTS ${CUDAToolkit_ROOT} ENV CUDAToolkit_ROOT ENV CUDA_HOME ENV CUDA_PATH /usr/local/cuda /opt/cuda
    PATH_SUFFIXES bin DOC "The nvcc that compiles the kernels")
  set(problem "no nvcc was found")
  if(GUARDKERNELS_NVCC)
    set(architectures ${CMAKE_CUDA_ARCHITECTURES})
    if(NOT architectures) # PTX for every device, code for data-centre ones
      set(architectures 75-virtual 80-real 90-real)
    endif()
    guardkernels_architectures("${architectures}" options)
    list(APPEND options -std=c++17 -Werror=all-warnings ${GUARDKERNELS_NVCC_OPTIONS})
    file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/probe.cu
      "#include <stdint.h>\nextern \"C\" __global__ void probe(uint64_t *out) { *out = __popc(1); }\n")
    execute_process(
      COMMAND ${GUARDKERNELS_NVCC} ${options} -fatbin probe.cu -o probe.fatbin
      WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}
      RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(result EQUAL 0)
      list(JOIN architectures " " shown)
      message(STATUS "kernels: with GPU code (${GUARDKERNELS_NVCC}; ${shown})")
      set(guardkernels_nvcc ${GUARDKERNELS_NVCC} PARENT_SCOPE)
      set(guardkernels_nvcc_options ${options} PARENT_SCOPE)
      return()
    endif()
    string(REGEX MATCH "[^\n]*(error|fatal|not found|unsupported|Unsupported)[^\n]*" line "${output}")
    set(problem "${GUARDKERNELS_NVCC} does not compile a kernel: ${result} ${line}")
  endif()
  if(GUARDKERNELS_CUDA STREQUAL "on")
    message(FATAL_ERROR "kernels: GUARDKERNELS_CUDA=on, but ${problem}")
  endif()
  message(STATUS "kernels: without GPU code (${problem}): host twins only")
endfunction()

# Sets `out_source` to a generated C file that defines gk_NAME_image: NAME.cu's fat binary, or NULL without nvcc.
function(guardkernels_embed name out_source)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}_image.c)
  set(${out_source} ${source} PARENT_SCOPE)
  set(embed ${CMAKE_CURRENT_SOURCE_DIR}/cmake/embed.cmake)
  if(NOT guardkernels_nvcc)
    add_custom_command(OUTPUT ${source}
      COMMAND ${CMAKE_COMMAND} -DNAME=gk_${name}_image -DOUTPUT=${source} -P ${embed}
      DEPENDS ${embed} VERBATIM)
    return()
  endif()
  set(image ${CMAKE_CURRENT_BINARY_DIR}/${name}.fatbin)
  add_custom_command(OUTPUT ${image}
    COMMAND ${guardkernels_nvcc} ${guardkernels_nvcc_options} -fatbin ${CMAKE_CURRENT_SOURCE_DIR}/${name}.cu -o ${image}
            -MD -MF ${image}.d
    DEPENDS ${name}.cu DEPFILE ${image}.d COMMENT "Compiling kernels of ${name}.cu" VERBATIM)
  add_custom_command(OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -DNAME=gk_${name}_image -DINPUT=${image} -DOUTPUT=${source} -P ${embed}
    DEPENDS ${image} ${embed} VERBATIM)
endfunction()

# Builds `program` with nvcc from .cu files that hold host code too. It needs the CUDA runtime beside nvcc; where that
# is missing, the program is left out and the build says so.
function(guardkernels_add_cuda_program program)
  if(NOT guardkernels_nvcc)
    return()
  endif()
  cmake_path(GET guardkernels_nvcc PARENT_PATH tools)
  find_library(GUARDKERNELS_CUDART cudart_static HINTS ${tools}/.. PATH_SUFFIXES lib64 lib targets/x86_64-linux/lib)
  if(NOT GUARDKERNELS_CUDART)
    message(STATUS "kernels: without ${program} (no static CUDA runtime)")
    return()
  endif()
  set(objects)
  foreach(source IN LISTS ARGN)
    cmake_path(GET source STEM name)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${program}_${name}.o)
    add_custom_command(OUTPUT ${object}
      COMMAND ${guardkernels_nvcc} ${guardkernels_nvcc_options} -O2 -Xcompiler=-fPIC,-Wall,-Wextra
              "-I$<JOIN:$<TARGET_PROPERTY:guardkernels_encode,INTERFACE_INCLUDE_DIRECTORIES>,;-I>"
              "-I$<JOIN:$<TARGET_PROPERTY:guardkernels,INTERFACE_INCLUDE_DIRECTORIES>,;-I>"
              "-I$<JOIN:$<TARGET_PROPERTY:guardrt,INTERFACE_INCLUDE_DIRECTORIES>,;-I>"
              -c ${source} -o ${object} -MD -MF ${object}.d
      DEPENDS ${source} DEPFILE ${object}.d COMMAND_EXPAND_LISTS COMMENT "Compiling ${program}: ${name}.cu" VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  add_executable(${program} ${objects})
  set_target_properties(${program} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${program} PRIVATE guardkernels_encode ${GUARDKERNELS_CUDART} ${CMAKE_DL_LIBS} rt)
  if(GUARDLINT_SANITIZE) # the libraries are built with them
    target_link_options(${program} PRIVATE -fsanitize=${GUARDLINT_SANITIZE})
  endif()
endfunction()
