// Joint graphs whose best cut is known: what each saves, and why.
#include "passes/partition.h"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "joint_graph.h"
#include "passes/common_subexpressions.h"
#include "passes/decompose.h"

using namespace glint;
using namespace glint::passes;
using namespace glint::tests;

namespace {

using Names = std::vector<std::string>;

/// The cut of a forward graph, written as text, with its gradients.
struct Cut {
  Graph joint;
  Partition parts;

  explicit Cut(Graph graph, JointShape shape) : joint(std::move(graph)) {
    auto made = partition(joint, shape);
    check(made.ok(), made.ok() ? "" : made.error().message);
    parts = std::move(*made);
    CHECK_FALSE(verify_calls(parts.forward));
    CHECK_FALSE(verify_calls(parts.backward));
  }

  static Cut of(const Graph& forward) {
    auto outputs = static_cast<uint32_t>(forward.outputs.size());
    return Cut(merge_common_subexpressions(joint_of(forward)), {outputs, outputs});
  }

  Names named(CutFate fate) const {
    Names names;
    for (const CutDecision& decision : parts.decisions)
      if (decision.fate == fate) names.push_back(joint.text(decision.value));
    return names;
  }
  Names saved() const { return named(CutFate::kSaved); }
  Names recomputed() const { return named(CutFate::kRecomputed); }
  CutReason reason(std::string_view value) const {
    for (const CutDecision& decision : parts.decisions)
      if (joint.text(decision.value) == value) return decision.reason;
    FAIL("no decision is about " << value);
    return {};
  }
};

}  // namespace

TEST_CASE("a layer saves what its relu gives, not what it is given") {
  Cut cut = Cut::of(parse(R"(graph f(%x: f32[4, 8], %w: f32[8, 16], %v: f32[16, 4]) -> f32[4, 4] {
  %h = mm %x, %w : f32[4, 16]
  %r = relu %h : f32[4, 16]
  %y = mm %r, %v : f32[4, 4]
  return %y
})"));
  CHECK(cut.saved() == Names{"%x", "%w", "%v", "%r"});
  CHECK(cut.named(CutFate::kNotRead) == Names{"%h"});
  CHECK(cut.reason("%r") == CutReason::kCheaperSaved);
  CHECK(cut.parts.cost == kReadWeight * 4 * 16 * 4);
}

TEST_CASE("an output that may be written meanwhile is done again, if it can be") {
  Graph graph = parse(R"(graph f(%x: f32[8], %w: f32[8], %t: f32[8]) -> (f32[8], f32[8]) {
  %y  = divide %x, %w : f32[8]
  %g  = multiply %t, %y : f32[8]
  return %y, %g
})");
  Cut cheap(graph, {1, 1});
  CHECK(cheap.saved() == Names{"%y"});
  CHECK(cheap.reason("%y") == CutReason::kAliveOutput);
  Cut careful(graph, {1, 1, {true}});
  CHECK(careful.saved() == Names{"%x", "%w"});
  CHECK(careful.reason("%y") == CutReason::kWritable);
  // A result from before the forward is not saved either.
  Cut behind(parse(R"(graph f(%x: f32[8], %t: f32[8]) -> (f32[8], f32[8]) {
  %z  = multiply %x, 2 : f32[8]
  %y  = exp %z : f32[8]
  %m  = greater %z, 0 : b8[8]
  %g  = where %m, %t, 0 : f32[8]
  return %y, %g
})"),
             {1, 1, {true}, {true, false}});
  CHECK(behind.saved() == Names{"%m"});
  // A sum is not done again, whatever may happen to it.
  Cut sum(parse(R"(graph f(%x: f32[8], %t: f32[8]) -> (f32[], f32[8]) {
  %y  = sum %x : f32[]
  %g  = multiply %t, %y : f32[8]
  return %y, %g
})"),
          {1, 1, {true}});
  CHECK(sum.saved() == Names{"%y"});
}

TEST_CASE("a mask is a quarter of what it was made of") {
  Cut cut(parse(R"(graph f(%x: f32[4, 8], %w: f32[8, 8], %t: f32[4, 8]) -> (f32[4, 8], f32[4, 8]) {
  %h    = mm %x, %w : f32[4, 8]
  %mask = greater %h, 0 : b8[4, 8]
  %y    = where %mask, %h, 0 : f32[4, 8]
  %gh   = where %mask, %t, 0 : f32[4, 8]
  return %y, %gh
})"),
          {1, 1});
  CHECK(cut.saved() == Names{"%mask"});
  CHECK(cut.parts.cost == kSaveWeight * 4 * 8);
  CHECK(cut.parts.saved == std::vector<SavedValue>{{false, 1, {NodeId(4), 0}}});
}

TEST_CASE("softmax saves its result") {
  Cut cut = Cut::of(parse(R"(graph f(%x: f32[4, 8], %w: f32[8, 8]) -> f32[4, 8] {
  %h = mm %x, %w : f32[4, 8]
  %s = softmax %h, 1 : f32[4, 8]
  %y = mm %s, %w : f32[4, 8]
  return %y
})"));
  CHECK(cut.saved() == Names{"%x", "%w", "%s"});
  CHECK(cut.reason("%s") == CutReason::kNeverAgain);
  CHECK(cut.parts.costs[cut.parts.saved.back().value.node].cut_class == CutClass::kReduction);
}

TEST_CASE("an output is saved for nothing") {
  Cut cut = Cut::of(parse(R"(graph f(%x: f32[4, 8], %w: f32[8, 8]) -> f32[4, 8] {
  %h = mm %x, %w : f32[4, 8]
  %s = softmax %h, 1 : f32[4, 8]
  return %s
})"));
  CHECK(cut.saved() == Names{"%x", "%w", "%s"});
  CHECK(cut.reason("%s") == CutReason::kAliveOutput);
  CHECK(cut.parts.cost == 0);
  CHECK(cut.parts.forward.outputs.size() == 1);
  CHECK(cut.parts.saved.back() == SavedValue{false, 0, {NodeId(4), 0}});
}

TEST_CASE("x * sigmoid(x) saves x") {
  Cut cut = Cut::of(parse(R"(graph f(%x: f32[4, 8], %w: f32[8, 8]) -> f32[4, 8] {
  %h = mm %x, %w : f32[4, 8]
  %s = sigmoid %h : f32[4, 8]
  %y = multiply %h, %s : f32[4, 8]
  return %y
})"));
  CHECK(cut.saved() == Names{"%x", "%w", "%h"});
  CHECK(cut.reason("%h") == CutReason::kNeverAgain);
  CHECK(cut.reason("%s") == CutReason::kCheaperAgain);
  CHECK(cut.parts.cost == kReadWeight * 4 * 32 + 10 * 32);
}

TEST_CASE("layer norm saves mean and scale of its rows") {
  Cut cut = Cut::of(decompose(parse(R"(graph f(%x: f32[16, 8], %w: f32[8]) -> f32[16, 8] {
  %y = layer_norm %x, [8], weight=%w : f32[16, 8]
  return %y
})")));
  CHECK(cut.saved() == Names{"%x", "%w", "%div", "%rsqrt"});
  CHECK(cut.recomputed() == Names{"%sub", "%mul"});
  CHECK(cut.parts.cost == kSaveWeight * 2 * 4 * 16 + 2 * 16 * 8);
}

TEST_CASE("a network saves its activations and none of its products") {
  Cut cut = Cut::of(parse(
      R"(graph mlp(%x: f32[s0, 8], %w: f32[8, 16], %v: f32[16, 16], %u: f32[16, 4]) -> f32[s0, 4] {
  %h  = mm %x, %w : f32[s0, 16]
  %a  = relu %h : f32[s0, 16]
  %h1 = mm %a, %v : f32[s0, 16]
  %b  = tanh %h1 : f32[s0, 16]
  %y  = mm %b, %u : f32[s0, 4]
  return %y
})"));
  CHECK(cut.saved() == Names{"%x", "%w", "%v", "%u", "%a", "%b"});
  CHECK(cut.named(CutFate::kNotRead) == Names{"%h", "%h1"});
  CHECK(cut.parts.symbols == std::vector<uint32_t>{0});
  CHECK(cut.parts.decisions[4].bytes == SymInt::symbol(0) * 64);
}

TEST_CASE("dropout saves its mask, drawn once") {
  Cut scaled = Cut::of(decompose(parse(R"(graph f(%x: f32[4, 8]) -> f32[4, 8] {
  %y = dropout %x, p=0.25, training=True : f32[4, 8]
  return %y
})")));
  CHECK(scaled.saved() == Names{"%bernoulli"});
  CHECK(scaled.recomputed() == Names{"%div"});
  Cut drawn(parse(R"(graph f(%x: f32[4, 8], %t: f32[4, 8]) -> (f32[4, 8], f32[4, 8]) {
  %r    = rand [4, 8] : f32[4, 8]
  %mask = less %r, 0.5 : b8[4, 8]
  %y    = where %mask, %x, 0 : f32[4, 8]
  %gx   = where %mask, %t, 0 : f32[4, 8]
  return %y, %gx
})"),
            {1, 1});
  CHECK(drawn.saved() == Names{"%mask"});
  CHECK(drawn.named(CutFate::kNotRead) == Names{"%r"});
}

TEST_CASE("a draw that nothing needs stays in the forward, what is dead goes") {
  Cut cut(parse(R"(graph f(%x: f32[8], %t: f32[8]) -> (f32[8], f32[8]) {
  %r    = rand [8] : f32[8]
  %dead = exp %x : f32[8]
  %lost = multiply %t, %dead : f32[8]
  %y    = negative %x : f32[8]
  %gx   = negative %t : f32[8]
  return %y, %gx
})"),
          {1, 1});
  CHECK(print(cut.parts.forward) == R"(graph f_forward(%x: f32[8]) -> f32[8] {
  %r = rand [8]     : f32[8]
  %y = negative %x  : f32[8]
  return %y
}
)");
  CHECK(print(cut.parts.backward) == R"(graph f_backward(%t: f32[8]) -> f32[8] {
  %gx = negative %t  : f32[8]
  return %gx
}
)");
  CHECK(cut.parts.decisions.empty());
}

TEST_CASE(
    "what a library call of the backward reads is saved, if one of the forward reads it too") {
  Cut cut(parse(R"(graph f(%x: f32[4, 8], %w: f32[8, 8], %t: f32[4, 8]) -> (f32[4, 8], f32[8, 8]) {
  %e  = exp %x : f32[4, 8]
  %y  = mm %e, %w : f32[4, 8]
  %et = t %e : f32[8, 4]{1, 8}
  %gw = mm %et, %t : f32[8, 8]
  return %y, %gw
})"),
          {1, 1});
  CHECK(cut.saved() == Names{"%e"});
  CHECK(cut.reason("%e") == CutReason::kCheaperSaved);
  CHECK(cut.parts.cost == kReadWeight * 4 * 32);
}

TEST_CASE("one exponential is done again, two are not") {
  Cut one = Cut::of(parse(R"(graph f(%x: f32[8], %w: f32[8]) -> f32[8] {
  %e = exp %x : f32[8]
  %y = multiply %e, %w : f32[8]
  return %y
})"));
  CHECK(one.saved() == Names{"%x", "%w"});
  CHECK(one.recomputed() == Names{"%e"});
  Cut two(parse(R"(graph f(%x: f32[8], %w: f32[8], %t: f32[8]) -> (f32[8], f32[8]) {
  %e = exp %x : f32[8]
  %d = exp %e : f32[8]
  %y = multiply %d, %w : f32[8]
  %gw = multiply %t, %d : f32[8]
  return %y, %gw
})"),
          {1, 1});
  CHECK(two.saved() == Names{"%d"});
  CHECK(two.reason("%d") == CutReason::kCheaperSaved);
}

TEST_CASE("a long chain has a saved value in the middle") {
  std::string text = "graph f(%x: f32[8], %t: f32[8]) -> (f32[8], f32[8]) {\n";
  std::string last = "%x", gradient = "%t";
  const int length = kLongestChain + 8;
  for (int i = 0; i < length; ++i) {
    text += fmt::format("%a{} = add {}, 0.5 : f32[8]\n", i, last);
    last = fmt::format("%a{}", i);
  }
  text += fmt::format("%y = exp {} : f32[8]\n", last);
  for (int i = length; i-- > 0;) {
    text += fmt::format("%g{} = multiply {}, %a{} : f32[8]\n", i, gradient, i);
    gradient = fmt::format("%g{}", i);
  }
  Cut cut(parse(text + fmt::format("return %y, {}\n}}\n", gradient)), {1, 1});
  const std::string middle = fmt::format("%a{}", kLongestChain);
  CHECK(cut.saved() == Names{"%x", middle});
  CHECK(cut.reason(middle) == CutReason::kNeverAgain);
  CHECK(cut.recomputed().size() == size_t(length) - 1);
}

TEST_CASE("a view is made again from its base, whose memory an output keeps") {
  Cut cut(
      parse(
          R"(graph f(%x: f32[4, 8], %w: f32[8, 6], %t: f32[6, 4]) -> (f32[6, 4]{1, 6}, f32[6, 4]) {
  %h = mm %x, %w : f32[4, 6]
  %y = t %h : f32[6, 4]{1, 6}
  %g = multiply %t, %y : f32[6, 4]
  return %y, %g
})"),
      {1, 1});
  CHECK(cut.saved() == Names{"%h"});
  CHECK(cut.reason("%h") == CutReason::kAliveMemory);
  CHECK(cut.reason("%y") == CutReason::kView);
  CHECK(cut.parts.cost == 0);
}

TEST_CASE("of several results, those that are read") {
  Cut cut(parse(R"(graph f(%x: f32[4, 8], %t: f32[4, 1]) -> (f32[4, 1], f32[4, 8]) {
  %m = max %x, dim=1, keepdim=True : f32[4, 1], i64[4, 1]
  %y = exp %m : f32[4, 1]
  %z = full [4, 8], 0, dtype=f32 : f32[4, 8]
  %u = multiply %t, %y : f32[4, 1]
  %g = scatter_add %z, 1, %m.1, %u : f32[4, 8]
  return %y, %g
})"),
          {1, 1});
  CHECK(cut.saved() == Names{"%m.1", "%y"});
  CHECK(cut.recomputed() == Names{"%z"});
  CHECK(cut.reason("%z") == CutReason::kFromNothing);
  CHECK(cut.parts.backward.nodes.front().name == "m_1");
}

TEST_CASE("gradients may be an input, a tangent or made from nothing") {
  Cut cut(parse(R"(graph f(%x: f32[8], %t: f32[8]) -> (f32[8], f32[8], f32[8], f32[8]) {
  %y = exp %x : f32[8]
  %z = zeros [8] : f32[8]
  return %y, %x, %t, %z
})"),
          {1, 1});
  CHECK(print(cut.parts.backward) ==
        R"(graph f_backward(%x: f32[8], %t: f32[8]) -> (f32[8], f32[8], f32[8]) {
  %z = zeros [8]  : f32[8]
  return %x, %t, %z
}
)");
}

TEST_CASE("a constant stands in both parts") {
  Cut cut(parse(R"(graph f(%x: f32[2], %t: f32[2]) -> (f32[2], f32[2]) {
  %c = constant [1.0, 2.0] : f32[2]
  %y = multiply %x, %c : f32[2]
  %g = multiply %t, %c : f32[2]
  return %y, %g
})"),
          {1, 1});
  CHECK(cut.saved().empty());
  CHECK(print(cut.parts.backward) == R"(graph f_backward(%t: f32[2]) -> f32[2] {
  %c = constant [1.0, 2.0]  : f32[2]
  %g = multiply %t, %c      : f32[2]
  return %g
}
)");
}

TEST_CASE("the lines say what the other decision would cost") {
  Cut cut(parse(R"(graph f(%x: f32[8], %w: f32[8], %t: f32[8]) -> (f32[8], f32[8], f32[8]) {
  %e  = exp %x : f32[8]
  %d  = exp %e : f32[8]
  %y  = multiply %d, %w : f32[8]
  %gw = multiply %t, %d : f32[8]
  %n  = negative %w : f32[8]
  %gx = multiply %t, %n : f32[8]
  return %y, %gw, %gx
})"),
          {1, 1});
  std::string text;
  for (const StageLine& line : partition_lines(cut.joint, cut.parts)) text += line.text + "\n";
  CHECK(text ==
        "not read    %x  f32[8]  32 bytes  the backward does not read it\n"
        "saved       %w  f32[8]  32 bytes  an input: alive anyway; for %n\n"
        "not read    %e  f32[8]  32 bytes  the backward does not read it\n"
        "saved       %d  f32[8]  32 bytes  to save it costs 128, to do it again 160; for %gw\n"
        "deferred    %n  f32[8]  32 bytes  only the backward needs it\n"
        "saved for the backward alone: 32 bytes (a tape: 32); cost 128, of it 0 for what is done "
        "again\n");
}

TEST_CASE("a shape that does not fit is an error") {
  Graph graph = parse(R"(graph f(%x: f32[8], %t: f32[8]) -> (f32[8], f32[8]) {
  %y = exp %x : f32[8]
  %g = multiply %t, %y : f32[8]
  return %y, %g
})");
  CHECK(partition(graph, {1, 3}).error().message == "the graph has 2 parameters, not 3 tangents");
  CHECK(partition(graph, {3, 1}).error().message ==
        "the graph has 2 outputs, the forward cannot have 3 of them");
  CHECK(partition(graph, {2, 1}).error().message ==
        "%g, an output of the forward, depends on a tangent");
}
