// What the tests of the interpreter and of capture read.
#pragma once

#include "interpreter.h"

#include <catch2/catch.hpp>
