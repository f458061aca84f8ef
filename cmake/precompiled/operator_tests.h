// What the tests of operators, passes and backends read.
#pragma once

#include "operators.h"

#include <catch2/catch.hpp>
