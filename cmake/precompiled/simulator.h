// The library's headers once more, for the folder that is compiled for other processors.
#pragma once

#include "library.h"
