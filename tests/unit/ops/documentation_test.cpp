// An operator's page is made from its entry.
#include "ops/documentation.h"

#include <catch2/catch.hpp>

#include "sanitized.h"

namespace glint::ops {
namespace {

TEST_CASE("a page shows signature, kind and dtype", "[ops]") {
  CHECK(doc_page("torch.sum") ==
        "sum(input: Tensor, dim: Size | None = None, keepdim: bool = False, *, "
        "dtype: dtype | None = None) -> Tensor\n\n"
        "The sum over dimensions; integers and bool become int64.\n\n"
        "  name     sum\n"
        "  python   torch.sum Tensor.sum\n"
        "  kind     primitive: reduction by `sum`\n"
        "  dtype    the input's; integers and bool become int64\n"
        "  autocast float32 on cuda\n"
        "  agrees   between backends within 1e-05 of its size, or 1e-06\n"
        "  gradient of input\n");
  CHECK(doc_page("torch.mul")
            ->ends_with("  gradient of input (saves other), of other (saves input)\n"));
}

TEST_CASE("a composite names what it decomposes into", "[ops]") {
  auto page = doc_page("gelu");
  REQUIRE(page.has_value());
  CHECK(page->find("composite: decomposes into multiply erf add") != std::string::npos);
}

TEST_CASE("every entry has a page, and unknown names have none", "[ops]") {
  size_t turn = 0;
  for (const OpEntry& entry : op_table())
    if (!tests::kSanitized || turn++ % 8 == 0) CHECK(!doc_page(entry).empty());
  CHECK(!doc_page("torch.nonsense").has_value());
  CHECK(operators_manual().find(
            "| `multiply` | `mul(input: Tensor \\| Number, other: Tensor \\| Number)") !=
        std::string::npos);
}

}  // namespace
}  // namespace glint::ops
