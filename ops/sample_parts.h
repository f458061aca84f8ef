// What the rules for samples are put together from.
//
//     std::vector<Sample> samples = each_input(entry, kFloats, {{}, {0}});
//     add(samples, entry, {sample_tensor({3, 700}), 1});
#pragma once

#include "ops/samples.h"

namespace glint::ops {

inline constexpr DType kDTypes[] = {DType::kFloat32, DType::kFloat64, DType::kBFloat16,
                                    DType::kInt64,   DType::kInt32,   DType::kBool};

inline constexpr DType kFloats[] = {DType::kFloat32, DType::kFloat64, DType::kBFloat16};

using List = std::initializer_list<Argument>;

/// Adds a sample, with defaults, unless the operator refuses it.
void add(std::vector<Sample>& samples, const OpEntry& entry, std::vector<Argument> arguments);

std::vector<Sample> collect(const OpEntry& entry,
                            std::initializer_list<std::vector<Argument>> calls);

/// The stock of each dtype as first argument, with the same further arguments.
std::vector<Sample> each_input(const OpEntry& entry, std::span<const DType> dtypes,
                               std::initializer_list<std::vector<Argument>> further);

/// Whole numbers that count as indices below `limit`.
Tensor index_tensor(IntSpan sizes, int64_t limit);

Tensor index_tensor(std::initializer_list<int64_t> sizes, int64_t limit);

Tensor mask_tensor(IntSpan sizes);

/// Numbers above 0 and below 1.
Tensor probability_tensor(std::initializer_list<int64_t> sizes);

/// Pairs: equal shapes in every layout, broadcasting ones, mixed dtypes, numbers.
std::vector<Sample> pairs(const OpEntry& entry, std::span<const DType> dtypes, bool nonzero_second);

inline constexpr DType kIntegral[] = {DType::kInt64, DType::kInt32, DType::kBool};

inline constexpr DType kIntegers[] = {DType::kInt64, DType::kInt32};

inline constexpr DType kNumbers[] = {DType::kFloat32, DType::kFloat64, DType::kBFloat16,
                                     DType::kInt64, DType::kInt32};

std::vector<Argument> ints(std::initializer_list<int64_t> values);

Argument size_list(std::initializer_list<int64_t> values);

}  // namespace glint::ops
