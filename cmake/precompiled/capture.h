// What runtime/capture and those above it read besides: compiled functions and their regions.
#pragma once

#include "interpreter.h"

#include <filesystem>

#include "runtime/capture/runner.h"
