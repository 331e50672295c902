// What libeagle exports; everything else in it is hidden.
#pragma once
#define EAGLE_API __attribute__((visibility("default")))
