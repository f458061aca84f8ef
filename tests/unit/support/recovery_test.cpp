#include "core/support/recovery.h"

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdint>
#include <thread>

namespace glint::recovery {
namespace {

void write_nowhere(void*) {
  *reinterpret_cast<volatile int32_t*>(uintptr_t{32}) = 1;
}

void divide_by_nothing(void* context) {
  volatile int32_t* number = static_cast<volatile int32_t*>(context);
  asm volatile("idivl %0" : : "m"(*number), "a"(1), "d"(0) : "cc");
}

// One case: Catch2 takes the signals back at the end of each.
TEST_CASE("a guarded call survives its crash, on any thread, and can be left", "[support]") {
  enable();
  CHECK(enabled());
  for (int i = 0; i < 3; ++i) {
    auto fault = guarded(write_nowhere, nullptr);
    REQUIRE(fault);
    CHECK(text_of(*fault) == "SIGSEGV at 0x20");
  }
  int32_t zero = 0;
  auto fault = guarded(divide_by_nothing, &zero);
  REQUIRE(fault);
  CHECK(fault->signal == SIGFPE);
  bool ran = false;
  CHECK_FALSE(guarded([](void* context) { *static_cast<bool*>(context) = true; }, &ran));
  CHECK(ran);

  std::optional<Fault> beside;
  std::thread([&] { beside = guarded(write_nowhere, nullptr); }).join();
  REQUIRE(beside);
  CHECK(beside->signal == SIGSEGV);

  leave();  // in no call: nothing happens
  fault = guarded([](void*) { leave(); }, nullptr);
  REQUIRE(fault);
  CHECK(fault->signal == SIGINT);
}

}  // namespace
}  // namespace glint::recovery
