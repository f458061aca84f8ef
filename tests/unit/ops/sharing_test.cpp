// What `sharing` says of every sample is what eager execution does: which results are an argument,
// which show its memory, and which have their own.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include "core/tensor/tensor.h"
#include "ops/call.h"
#include "ops/infer.h"
#include "ops/sharing.h"

namespace glint::ops {
namespace {

void find_tensors(const Argument& argument, std::vector<Tensor>& tensors) {
  if (auto* tensor = argument.get_if<Tensor>()) tensors.push_back(*tensor);
  if (argument.is_list())
    for (const Argument& item : argument.list()) find_tensors(item, tensors);
}

std::string text(const Sharing& sharing) {
  if (sharing.kind == Sharing::Kind::kFresh) return "fresh";
  return fmt::format("{} {}", sharing.kind == Sharing::Kind::kSame ? "same" : "view",
                     sharing.tensor);
}

std::vector<Sharing> predicted(const OpEntry& entry, Arguments arguments) {
  std::vector<InferArgument> types = infer_arguments(arguments);
  return sharing(entry, types);
}

/// Whether the result has of these tensors what is said of it.
bool holds(const Sharing& said, const Tensor& result, const std::vector<Tensor>& tensors) {
  bool same = false, view = false;
  for (size_t i = 0; i < tensors.size(); ++i) {
    bool meant = said.kind != Sharing::Kind::kFresh && said.tensor == i;
    bool is_same = result.is_same(tensors[i]);
    bool shares = result.storage() == tensors[i].storage();
    if (meant && said.kind == Sharing::Kind::kSame && !is_same) return false;
    if (meant && said.kind == Sharing::Kind::kView && (is_same || !shares)) return false;
    same |= is_same;
    view |= shares;
  }
  return said.kind != Sharing::Kind::kFresh || (!same && !view);
}

TEST_CASE("sharing is what eager calls do", "[ops]") {
  for (const OpEntry& entry : op_table()) {
    if (entry.effects.mutates || entry.effects.data_dependent) continue;
    for (const Sample& sample : entry.samples(entry)) {
      std::vector<Tensor> tensors;
      for (const Argument& argument : sample.arguments) find_tensors(argument, tensors);
      Outputs outputs = call_eager(entry, sample.arguments);
      std::vector<Sharing> said = predicted(entry, sample.arguments);
      REQUIRE(said.size() == outputs.size());
      for (size_t i = 0; i < said.size(); ++i) {
        INFO(entry.name << " of " << (tensors.empty() ? "" : type_of(tensors[0]).text())
                        << ": result " << i << " is said to be " << text(said[i]));
        if (outputs[i].numel() > 0) CHECK(holds(said[i], outputs[i], tensors));
      }
    }
  }
}

std::string sharing_text(const char* name, std::initializer_list<Argument> given) {
  const OpEntry& entry = *find_op(name);
  BoundArguments arguments = bind(entry, Arguments(given.begin(), given.size()), {});
  std::string all;
  for (const Sharing& one : predicted(entry, arguments))
    all += (all.empty() ? "" : ", ") + text(one);
  return all;
}

TEST_CASE("a composite shares what its decomposition leads to", "[ops]") {
  Tensor x = Tensor::empty({4, 2}, DType::kFloat32);
  Tensor y = Tensor::empty({4, 2}, DType::kInt64);
  Tensor turned = call_eager("t", {x});
  CHECK(sharing_text("chunk", {x, 2}) == "view 0, view 0");
  CHECK(sharing_text("unbind", {x, 1}) == "view 0, view 0");
  CHECK(sharing_text("contiguous", {x}) == "same 0");
  CHECK(sharing_text("contiguous", {turned}) == "fresh");
  CHECK(sharing_text("to_any", {x, y}) == "fresh");
  CHECK(sharing_text("to_any", {x, turned}) == "same 0");
  CHECK(sharing_text("type_as", {x, turned}) == "same 0");
  CHECK(sharing_text("to_float32", {x}) == "same 0");
  CHECK(sharing_text("to_float64", {x}) == "fresh");
  CHECK(sharing_text("dropout", {x, 0.0}) == "same 0");
  CHECK(sharing_text("dropout", {x, 0.5, false}) == "same 0");
  CHECK(sharing_text("reshape", {x, Argument(Argument::List{Argument(8)})}) == "view 0");
  CHECK(sharing_text("reshape", {turned, Argument(Argument::List{Argument(8)})}) == "fresh");
  CHECK(sharing_text("flip", {x, Argument(Argument::List{Argument(0)})}) == "fresh");
  CHECK(sharing_text("add_", {x, 1.0}) == "same 0");
}

}  // namespace
}  // namespace glint::ops
