// The main of the test program where Catch2 does not bring one: version 3 links its own.

#if !__has_include(<catch2/catch_all.hpp>)
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif
