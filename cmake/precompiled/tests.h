// What every test program reads besides.
#pragma once

#include "library.h"

#include <catch2/catch.hpp>
