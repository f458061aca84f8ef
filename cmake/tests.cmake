# The tests that are not Catch2 programs: recorded scripts and examples, generated documentation,
# and a session at the REPL. Each script is one entry, `script/NAME`, so that ctest runs them side by
# side and names the one that fails; `compiled/script/NAME` compiles every call in it.

find_package(Python3 3.9 COMPONENTS Interpreter)
if(TARGET glint AND Python3_Interpreter_FOUND)
  # Where `python3` is a version manager's script, each start of it takes longer than most tests do.
  execute_process(COMMAND ${Python3_EXECUTABLE} -c "import sys; print(sys.executable)"
                  OUTPUT_VARIABLE PYTHON OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  list(APPEND PYTHON -S)  # looking for installed packages, of which no test uses any, takes as long
  # Examples that are too slow to run once for each stage under the sanitizers, or simulated.
  set(TRAIN_FOR_LONG transformer spiral characters regression)
  if(GLINT_SANITIZE)  # the small ones show what these show
    list(APPEND TRAIN_FOR_LONG mlp_forward softmax fused dynamic_mean)
  endif()
  # Scripts that ask for more memory than there is: the sanitizer's operator new ends the process where
  # the real one throws.
  set(TOO_MUCH_MEMORY hostile_mutation tensor_memory)
  # Under the sanitizers a script runs in one of the two ways, by turns, and in the other one with
  # the portable instructions: they come in families, side by side in the alphabet, and every one of
  # them runs both ways in the release.
  set(turn compiled)
  foreach(folder tests/scripts examples)
    file(GLOB scripts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.py)
    string(REPLACE "tests/scripts" "script" kind ${folder})
    string(REPLACE "examples" "example" kind ${kind})
    foreach(script ${scripts})
      get_filename_component(name ${script} NAME_WE)
      file(STRINGS ${script} module REGEX "^# module$")
      if(module)
        continue()  # the scripts beside it import it
      endif()
      if(turn STREQUAL "plain")
        set(turn compiled)
      else()
        set(turn plain)
      endif()
      if(GLINT_SANITIZE AND name IN_LIST TOO_MUCH_MEMORY)
        continue()
      endif()
      if(NOT GLINT_SANITIZE OR turn STREQUAL "plain")
        add_test(NAME ${kind}/${name}
                 COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/script_test.py
                         --interpreter $<TARGET_FILE:glint> ${script})
      endif()
      if(NOT GLINT_SANITIZE OR turn STREQUAL "compiled")
        add_test(NAME compiled/${kind}/${name}
                 COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/script_test.py
                         --compiled --interpreter $<TARGET_FILE:glint> ${script})
      endif()
      if(NOT GLINT_SANITIZE AND turn STREQUAL "plain")
        set_tests_properties(${kind}/${name} PROPERTIES LABELS any_processor)
      elseif(NOT GLINT_SANITIZE)
        set_tests_properties(compiled/${kind}/${name} PROPERTIES LABELS any_processor)
      endif()
      if(kind STREQUAL "example" AND NOT (GLINT_SANITIZE AND name IN_LIST TRAIN_FOR_LONG))
        set(few "")
        if(name IN_LIST TRAIN_FOR_LONG)
          set(few --every=4)
        endif()
        add_test(NAME fallback/${name}
                 COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/fallback_test.py ${few}
                         --glint $<TARGET_FILE:glint> ${script})
      endif()
    endforeach()
  endforeach()
  if(NOT GLINT_SANITIZE)
    # As on a machine without LAPACK: by its names the loader finds empty files first.
    set(folder ${PROJECT_BINARY_DIR}/no_lapack)
    file(WRITE ${folder}/libopenblas.so.0 "")
    file(WRITE ${folder}/liblapack.so.3 "")
    foreach(name linalg linalg_derivatives linalg_large)
      add_test(NAME without_lapack/${name}
               COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/script_test.py
                       --interpreter $<TARGET_FILE:glint> ${PROJECT_SOURCE_DIR}/tests/scripts/${name}.py)
      set_tests_properties(without_lapack/${name} PROPERTIES ENVIRONMENT "LD_LIBRARY_PATH=${folder}")
    endforeach()
  endif()
  if(NOT GLINT_SANITIZE)  # tiny tensors: that every call runs
    add_test(NAME bench/eager_scan
             COMMAND glint ${PROJECT_SOURCE_DIR}/bench/eager_scan.py --small
                     --columns eager,backward,compiled)
    add_test(NAME bench/compare_scan
             COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/bench/compare_scan --glint $<TARGET_FILE:glint>
                     --peer $<TARGET_FILE:glint> --small --rounds 1 --only norm,pad)
  endif()
  add_test(NAME fallback/gpu
           COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/fallback_test.py --gpu
                   --glint $<TARGET_FILE:glint>)
  add_test(NAME bad_source
           COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/bad_source_test.py
                   --interpreter $<TARGET_FILE:glint> $<$<BOOL:${GLINT_SANITIZE}>:--every=7>
           COMMAND_EXPAND_LISTS)
  add_test(NAME carets
           COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/caret_test.py
                   --interpreter $<TARGET_FILE:glint>)
  add_test(NAME fuzz
           COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/fuzz.py
                   --interpreter $<TARGET_FILE:glint> --count 500)
  add_test(NAME repl/command_line
           COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/command_line_test.py
                   --glint $<TARGET_FILE:glint>)
  add_test(NAME repl/process_end
           COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/process_end_test.py
                   --glint $<TARGET_FILE:glint>)
  add_test(NAME repl/profile
           COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/profile_test.py
                   --glint $<TARGET_FILE:glint>)
  if(TARGET glint_explore)
    add_test(NAME repl/explore
             COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/explore_test.py
                     --glint $<TARGET_FILE:glint>)
  endif()
  add_test(NAME repl/session
           COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/repl_session_test.py
                   --glint $<TARGET_FILE:glint>)
  add_test(NAME repl/terminal
           COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/repl_terminal_test.py
                   --glint $<TARGET_FILE:glint>)
  file(GLOB examples CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/examples/*.py)
  # Those that train for long are run by scripts/test-device, and listed without the sanitizers.
  set(short_examples ${examples})
  list(JOIN TRAIN_FOR_LONG "|" long_names)
  list(FILTER short_examples EXCLUDE REGEX "(${long_names})[.]py$")
  add_test(NAME ir/listings
           COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/listing_test.py
                   --glint $<TARGET_FILE:glint>
                   "$<IF:$<BOOL:${GLINT_SANITIZE}>,${short_examples},${examples}>"
           COMMAND_EXPAND_LISTS)
  if(NOT GLINT_SANITIZE)  # NVRTC is the same in every build
    add_test(NAME cuda/examples
             COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/ptx_test.py
                     --glint $<TARGET_FILE:glint> ${examples})
    add_test(NAME cuda/stages
             COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/simulated_stages_test.py
                     --driver $<TARGET_FILE_DIR:fake_driver> --glint $<TARGET_FILE:glint>)
  endif()
  file(GLOB scripts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/device/*.py)
  # Much arithmetic, simulated, and no memory that the others do not use.
  set(MUCH_ARITHMETIC "^(training|convolutions|more_modules|columns|rows|scans|scattering|searching|sorting)$")
  # These compute on a driver as on the simulated device; nothing else of the driver is asked.
  set(NOTHING_OF_DRIVERS "^(draws|products|product_sums|running|tensors)$")
  # Whose faults the simulated device alone sees.
  file(GLOB simulated CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/device/simulated/*.py)
  # The sanitizers see each script once, on the driver if that has a part in it.
  foreach(script ${scripts} ${simulated})
    get_filename_component(name ${script} NAME_WE)
    if(GLINT_SANITIZE AND script IN_LIST scripts AND NOT name MATCHES "${NOTHING_OF_DRIVERS}")
      continue()
    endif()
    add_test(NAME device/${name}
             COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/device_test.py
                     --glint $<TARGET_FILE:glint> ${script})
    if(script IN_LIST scripts)  # behind the driver's, whose kernels it finds compiled
      set_tests_properties(device/${name} PROPERTIES DEPENDS device/driver/${name})
    endif()
  endforeach()
  add_test(NAME device/prompt/entries
           COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/device_test.py --prompt
                   --glint $<TARGET_FILE:glint> ${PROJECT_SOURCE_DIR}/tests/device/prompt.py)
  add_test(NAME device/glass
           COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/gpu_glass_test.py
                   --glint $<TARGET_FILE:glint>)
  if(NOT GLINT_SANITIZE)  # its times say nothing here; that it runs does
    add_test(NAME bench/gpu
             COMMAND glint ${PROJECT_SOURCE_DIR}/bench/gpu.py --sizes small --only chain,mlp,launches)
    set_tests_properties(bench/gpu PROPERTIES ENVIRONMENT "GLINT_GPU=sim")
    add_test(NAME bench/compare_gpu
             COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/compare_gpu_test.py
                     --driver $<TARGET_FILE_DIR:fake_driver> --glint $<TARGET_FILE:glint>
                     ${PROJECT_SOURCE_DIR}/bench/compare_gpu)
  endif()
  # What drives a real GPU, on a driver that stands in for NVIDIA's.
  foreach(script ${scripts})
    get_filename_component(name ${script} NAME_WE)
    if(GLINT_SANITIZE AND name MATCHES "${MUCH_ARITHMETIC}|${NOTHING_OF_DRIVERS}")
      continue()
    endif()
    add_test(NAME device/driver/${name}
             COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/device_test.py
                     --driver $<TARGET_FILE_DIR:fake_driver> --glint $<TARGET_FILE:glint> ${script})
  endforeach()
  if(NOT GLINT_SANITIZE)
    set(folder $<TARGET_FILE_DIR:fake_driver>)
    set(ptx GLINT_CUDA_ARCH=compute_80)
    add_test(NAME driver/operators COMMAND test_device "the operator table*,a second size*")
    set_tests_properties(driver/operators PROPERTIES ENVIRONMENT
      "GLINT_GPU=;LD_LIBRARY_PATH=${folder};GLINT_CUBLASLT=none;GLINT_CUDNN=none;${ptx}")
    add_test(NAME driver/operators/libraries COMMAND test_device "the operator table*")
    set_tests_properties(driver/operators/libraries PROPERTIES ENVIRONMENT
      "GLINT_GPU=;LD_LIBRARY_PATH=${folder};GLINT_CUBLASLT=${folder};GLINT_CUDNN=${folder};${ptx}")
  endif()
  file(GLOB scripts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/driver/scripts/*.py)
  foreach(script ${scripts})
    get_filename_component(name ${script} NAME_WE)
    add_test(NAME driver/${name}
             COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/driver_test.py
                     --driver $<TARGET_FILE_DIR:fake_driver> --glint $<TARGET_FILE:glint> ${script})
  endforeach()
  # The same with stand-ins for NVIDIA's libraries, and what is asked of these.
  file(GLOB scripts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/device/libraries/*.py)
  foreach(name products product_sums convolutions)
    if(NOT GLINT_SANITIZE OR NOT name MATCHES "${MUCH_ARITHMETIC}")
      list(APPEND scripts ${PROJECT_SOURCE_DIR}/tests/device/${name}.py)
    endif()
  endforeach()
  foreach(script ${scripts})
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR}/tests ${script})
    string(REPLACE ".py" "" name ${name})
    add_test(NAME ${name}/libraries
             COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/device_test.py --libraries
                     --driver $<TARGET_FILE_DIR:fake_driver> --glint $<TARGET_FILE:glint> ${script})
  endforeach()
  foreach(script ${short_examples})
    get_filename_component(name ${script} NAME_WE)
    add_test(NAME device/example/${name}
             COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/device_test.py
                     --everywhere --glint $<TARGET_FILE:glint> ${script})
  endforeach()
  set(pages ${PROJECT_SOURCE_DIR}/repl/examples.md ${PROJECT_SOURCE_DIR}/docs/repl.md)
  if(NOT GLINT_SANITIZE)
    list(APPEND pages ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/docs/compile.md
         ${PROJECT_SOURCE_DIR}/docs/gradients.md)
  endif()
  add_test(NAME docs/sessions
           COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/session_test.py
                   --glint $<TARGET_FILE:glint> ${pages})
  if(TARGET glint_jupyter)
    file(GLOB notebooks CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/course/*.ipynb)
    foreach(notebook ${notebooks})
      get_filename_component(name ${notebook} NAME_WE)
      add_test(NAME course/${name}
               COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/notebook_test.py
                       --glint $<TARGET_FILE:glint> ${notebook})
      add_test(NAME course/${name}/solved
               COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/notebook_test.py
                       --solved --glint $<TARGET_FILE:glint> ${notebook})
    endforeach()
    add_test(NAME notebook/rich_output
             COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/rich_output_test.py
                     --glint $<TARGET_FILE:glint>)
    if(NOT GLINT_SANITIZE)  # which ends the process at an exception that a plugin throws
      add_test(NAME course/hostile
               COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/hostile_notebook_test.py
                       --glint $<TARGET_FILE:glint>)
    endif()
  endif()
  add_test(NAME capture/random_programs
           COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/capture_fuzz.py
                   --glint $<TARGET_FILE:glint> --count $<IF:$<BOOL:${GLINT_SANITIZE}>,4,12>)
  add_test(NAME capture/random_histories
           COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/capture_fuzz.py
                   --glint $<TARGET_FILE:glint> --about histories --count 6 --modes compile)
  # Programs at random write what a call has saved, with a history through that call: such a tensor
  # holds itself, in PyTorch too. Whether that is all that is lost, the sanitizer cannot say.
  set_tests_properties(capture/random_histories PROPERTIES ENVIRONMENT
                       "ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1")
  add_test(NAME capture/random_operators
           COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/capture_fuzz.py
                   --glint $<TARGET_FILE:glint> --about operators --first 400
                   --count $<IF:$<BOOL:${GLINT_SANITIZE}>,3,8>
                   --modes compile,dynamic)
  if(NOT GLINT_SANITIZE)  # the sanitizer counts allocations itself, and makes more
    add_library(count_allocations MODULE ${PROJECT_SOURCE_DIR}/tests/tools/count_allocations.cpp)
    add_test(NAME capture/allocations
             COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/allocation_test.py
                     --glint $<TARGET_FILE:glint> --counter $<TARGET_FILE:count_allocations>)
  endif()
  if(NOT GLINT_SANITIZE)
    add_test(NAME package
             COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/tests/tools/package_test.py
                     --glint $<TARGET_FILE:glint>)
  endif()
  add_test(NAME docs/generated
           COMMAND ${PROJECT_SOURCE_DIR}/scripts/docs --check --glint $<TARGET_FILE:glint>)
endif()

# The long ones first, so that they run beside all the others: LLVM makes much machine code in them.
foreach(test unit/cpu unit/cpu_operators unit/cuda)
  if(TEST ${test})
    set_tests_properties(${test} PROPERTIES COST 1000)
  endif()
endforeach()

# What NVRTC and LLVM have made of a text is kept where ccache keeps what it knows: neither the
# sanitizers' tests, which come last, nor the next clone's need have it made again, and the cache of
# glint's own users is not touched. Its keys are all that the result hangs on (backends/kept_text.h).
if(DEFINED ENV{XDG_CACHE_HOME})
  set(cache "$ENV{XDG_CACHE_HOME}/glint-tests")
elseif(DEFINED ENV{HOME})
  set(cache "$ENV{HOME}/.cache/glint-tests")
else()
  set(cache "${PROJECT_SOURCE_DIR}/build/cache")
endif()
get_property(tests DIRECTORY PROPERTY TESTS)
set_property(TEST ${tests} APPEND PROPERTY ENVIRONMENT "GLINT_CACHE=${cache}")

# What these find does not hang on the vector instructions that there are: `scripts/test portable`
# leaves them out.
list(FILTER tests INCLUDE REGEX
     "^(unit/(support|ir|frontend|passes|cuda|simulator|capture|interpreter|session|report|repl|notebook|device)|bad_source|carets|fuzz|course/.*|repl/.*|ir/.*|cuda/.*|device/.*|driver/.*|docs/.*|fallback/.*|package|capture/allocations)$")
set_tests_properties(${tests} PROPERTIES LABELS any_processor)
