// Iteration: the iterator of any value, its next item, and all of them at once.
//
//     for x in {1: 2}:      TableIterator, which notices that the dict changes
#include <fmt/format.h>

#include "ops/op.h"
#include "runtime/interpreter/machine.h"
#include "runtime/interpreter/plain_items.h"
#include "runtime/interpreter/scripted.h"
#include "runtime/interpreter/table_iterator.h"
#include "runtime/interpreter/tensor_operators.h"

namespace glint::runtime {

namespace {

struct StrIterator final : IteratorObject {
  Ref<StrObject> text;
  size_t at = 0;
  explicit StrIterator(StrObject* of) : text(of) {}
  Value next(Interpreter&) override {
    const std::string& bytes = text->text;
    if (at >= bytes.size()) return Value();
    size_t begin = at++;
    while (at < bytes.size() && (static_cast<unsigned char>(bytes[at]) & 0xC0) == 0x80) ++at;
    return Value(intern(std::string_view(bytes).substr(begin, at - begin)));
  }
  std::string_view type_name() const override { return "str_iterator"; }
};

struct BytesIterator final : IteratorObject {
  Ref<BytesObject> bytes;
  size_t at = 0;
  explicit BytesIterator(BytesObject* of) : bytes(of) {}
  Value next(Interpreter&) override {
    if (at >= bytes->data.size()) return Value();
    return Value(int64_t{static_cast<unsigned char>(bytes->data[at++])});
  }
  std::string_view type_name() const override { return "bytes_iterator"; }
};

/// The old protocol: `__getitem__` with 0, 1, 2, ... until IndexError; tensors row by row.
struct IndexIterator final : IteratorObject {
  Value object;
  int64_t at = 0;
  explicit IndexIterator(Value of) : object(std::move(of)) {}
  Value next(Interpreter& in) override {
    if (object.is_undefined()) return Value();
    if (object.is(kTensorKind) && at >= tensor_length(in, object)) return Value();
    Value item = get_item(in, object, Value(at++));
    if (item.is_undefined() && in.pending_is("IndexError")) {
      in.take_pending();
      object = Value();
    }
    return item;
  }
  std::string_view type_name() const override { return "iterator"; }
  void traverse(Visitor& visit) override { visit(object); }
  void clear() override { object = Value(); }
};

}  // namespace

const HashTable::Entry* TableIterator::next_entry(Interpreter& in) {
  if (!owner) return nullptr;
  if (table->size() != expected) {
    std::string_view sort = of_dict ? "dictionary" : "Set";
    owner = nullptr;
    in.raise("RuntimeError", fmt::format("{} changed size during iteration", sort));
    return nullptr;
  }
  const auto& entries = table->entries();
  while (at < entries.size() && entries[at].key.is_undefined()) ++at;
  bool more = at < entries.size();
  if (more && given++ < expected) return &entries[at++];
  if (more && of_dict) in.raise("RuntimeError", "dictionary keys changed during iteration");
  owner = nullptr;
  return nullptr;
}

Value TableIterator::next(Interpreter& in) {
  const HashTable::Entry* entry = next_entry(in);
  if (!entry) return Value();
  switch (what) {
    case What::kKeys:
      return entry->key;
    case What::kValues:
      return entry->value;
    case What::kItems:
      break;
  }
  return Value(make_pair(entry->key, entry->value));
}

bool TableIterator::next_pair(Interpreter& in, Value& key, Value& value) {
  const HashTable::Entry* entry = next_entry(in);
  if (!entry) return false;
  key = entry->key;
  value = entry->value;
  return true;
}

void TableIterator::skip(size_t count) {
  const auto& entries = table->entries();
  for (; given < count && at < entries.size(); ++at)
    if (entries[at].key.defined()) ++given;
}

std::string_view TableIterator::type_name() const {
  if (!of_dict) return "set_iterator";
  switch (what) {
    case What::kKeys:
      return "dict_keyiterator";
    case What::kValues:
      return "dict_valueiterator";
    case What::kItems:
      break;
  }
  return "dict_itemiterator";
}

Value iterator_of(Interpreter& in, const Value& value) {
  Value method = scripted_special(value, Special::kIter);
  if (method.defined()) {
    if (method.is_none()) {
      return in.raise("TypeError", fmt::format("'{}' object is not iterable", type_name(value)));
    }
    Value iterator = in.call(method, {value});
    if (iterator.is_undefined()) return iterator;
    bool fit = iterator.is<IteratorObject>() || iterator.is<GeneratorObject>() ||
               (iterator.is_object() && class_of(iterator)->special(Special::kNext).defined());
    if (fit) return iterator;
    return in.raise("TypeError",
                    fmt::format("iter() returned non-iterator of type '{}'", type_name(iterator)));
  }
  return plain_iterator(in, value);
}

Value plain_iterator(Interpreter& in, const Value& value) {
  using What = DictViewObject::What;
  switch (value.kind()) {
    case kListKind:
      return Value(make_ref<ListIterator>(Ref<ListObject>(value.as<ListObject>())));
    case kTupleKind:
      return Value(make_ref<TupleIterator>(Ref<TupleObject>(value.as<TupleObject>())));
    case kRangeKind:
      return Value(make_ref<RangeIterator>(*value.as<RangeObject>()));
    case kStrKind:
      return Value(make_ref<StrIterator>(value.as<StrObject>()));
    case kBytesKind:
      return Value(make_ref<BytesIterator>(value.as<BytesObject>()));
    case kDictKind: {
      auto* dict = value.as<DictObject>();
      return Value(make_ref<TableIterator>(dict, &dict->table, What::kKeys));
    }
    case kSetKind:
    case kFrozenSetKind: {
      auto* set = value.as<SetObject>();
      return Value(make_ref<TableIterator>(set, &set->table, What::kKeys));
    }
    case kDictViewKind: {
      auto* view = value.as<DictViewObject>();
      return Value(make_ref<TableIterator>(view->dict.get(), &view->dict->table, view->what));
    }
    case kIteratorKind:
    case kGeneratorKind:
      return value;
    case kTensorKind: {
      int64_t length = tensor_length(in, value);
      if (length < 0) {
        in.take_pending();
        return in.raise("TypeError", "iteration over a 0-d tensor");
      }
      // All rows at once, as PyTorch does: one operator, and an iterator that capture can rebuild.
      static const ops::OpEntry* unbind = ops::find_op("unbind");
      Value arguments[] = {value, Value(int64_t{0})};
      Value rows = in.call_operator(*unbind, arguments);
      if (auto* tuple = rows.try_as<TupleObject>())
        return Value(make_ref<TupleIterator>(Ref<TupleObject>(tuple)));
      if (auto* list = rows.try_as<ListObject>())
        return Value(make_ref<ListIterator>(Ref<ListObject>(list)));
      return rows.is_undefined() ? Value() : Value(make_ref<IndexIterator>(value));
    }
    default:
      break;
  }
  if (scripted_special(value, Special::kGetItem).defined()) {
    return Value(make_ref<IndexIterator>(value));
  }
  return in.raise("TypeError", fmt::format("'{}' object is not iterable", type_name(value)));
}

Value next_item(Interpreter& in, const Value& iterator) {
  if (iterator.is<IteratorObject>())
    return handed_on(in.tracer(), iterator.as<IteratorObject>()->next(in));
  if (auto* generator = iterator.try_as<GeneratorObject>()) {
    Ref<GeneratorObject> held(generator);
    return handed_on(in.tracer(), Machine::resume_nested(in, *generator, Value::none()));
  }
  Value method = iterator.is_object() ? class_of(iterator)->special(Special::kNext) : Value();
  if (method.is_undefined()) {
    return in.raise("TypeError",
                    fmt::format("'{}' object is not an iterator", type_name(iterator)));
  }
  Machine::stop_value(in) = Value();
  Value item = in.call(method, {iterator});
  if (item.is_undefined() && in.pending_is("StopIteration")) {
    Ref<ExceptionObject> stop = in.take_pending();
    if (!stop->args->items.empty()) Machine::stop_value(in) = stop->args->items[0];
  }
  return item;
}

bool collect(Interpreter& in, const Value& iterable, std::vector<Value>& out) {
  if (iterable.is_object() && !scripted_class(iterable)) {
    if (auto* list = iterable.try_as<ListObject>()) {
      out.insert(out.end(), list->items.begin(), list->items.end());
      return true;
    }
    if (auto* tuple = iterable.try_as<TupleObject>()) {
      out.insert(out.end(), tuple->items.begin(), tuple->items.end());
      return true;
    }
  }
  Value iterator = iterator_of(in, iterable);
  if (iterator.is_undefined()) return false;
  // What is far too much fails here, not when all memory is used.
  if (auto* range = iterable.try_as<RangeObject>())
    out.reserve(out.size() + static_cast<size_t>(range->length()));
  for (Value item; (item = next_item(in, iterator)).defined();) out.push_back(std::move(item));
  return !in.raised();
}

}  // namespace glint::runtime
