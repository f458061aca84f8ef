// The table of autocast: its rows are of operators that there are, each of one, and none of a form
// that writes.
#include <catch2/catch.hpp>

#include <set>

#include "ops/autocast.h"

namespace glint::ops {
namespace {

TEST_CASE("each row of the autocast table names an operator", "[autocast]") {
  std::set<std::string_view> names;
  for (const AutocastRow& row : autocast_table()) {
    CAPTURE(row.name);
    const OpEntry* entry = find_op(row.name);
    REQUIRE(entry);
    CHECK(names.insert(row.name).second);
    CHECK(entry->differentiable);
    CHECK(!entry->functional_form);
    CHECK((row.cpu != AutocastPolicy::kNone || row.cuda != AutocastPolicy::kNone));
    CHECK(has_autocast_policy(*entry));
  }
  CHECK(!has_autocast_policy(*find_op("add")));
}

TEST_CASE("the widest dtype is float32 where one tensor has it", "[autocast]") {
  const OpEntry& cat = *find_op("cat");
  const AutocastState state{.cpu = true};
  auto of = [](DType dtype) { return Tensor::zeros(Dims{1}, dtype); };
  auto dtype_of = [&](DType one, DType other) {
    const Tensor tensors[] = {of(one), of(other)};
    return *autocast_dtype(cat, state, DeviceType::kCpu, tensors);
  };
  CHECK(dtype_of(DType::kBFloat16, DType::kBFloat16) == DType::kBFloat16);
  CHECK(dtype_of(DType::kBFloat16, DType::kFloat32) == DType::kFloat32);
  CHECK(dtype_of(DType::kBFloat16, DType::kFloat64) == DType::kBFloat16);
  CHECK_THROWS_AS(dtype_of(DType::kFloat16, DType::kBFloat16), OpError);
}

}  // namespace
}  // namespace glint::ops
