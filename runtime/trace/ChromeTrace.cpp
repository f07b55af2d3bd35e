#include "runtime/trace/ChromeTrace.h"

#include "fmt/format.h"
#include "nlohmann/json.hpp"

namespace sbp::trace {
namespace {

std::string quoted(std::string_view text) {
  constexpr auto kReplace = nlohmann::json::error_handler_t::replace;
  return nlohmann::json(text).dump(/*indent=*/-1, ' ', /*ensure_ascii=*/false,
                                   kReplace);
}

}  // namespace

void ChromeTrace::addProcess(int64_t process, std::string_view name) {
  add(fmt::format(
      R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":{}}}}})",
      process, quoted(name)));
  add(fmt::format(
      R"({{"ph":"M","name":"process_sort_index","pid":{0},"args":{{"sort_index":{0}}}}})",
      process));
}

void ChromeTrace::addRow(int64_t process, int64_t row, std::string_view name) {
  add(fmt::format(
      R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":{}}}}})",
      process, row, quoted(name)));
  add(fmt::format(
      R"({{"ph":"M","name":"thread_sort_index","pid":{0},"tid":{1},"args":{{"sort_index":{1}}}}})",
      process, row));
}

void ChromeTrace::addSlice(int64_t process, int64_t row, const Slice& slice) {
  std::string arguments;
  if (slice.microBatch >= 0)
    arguments = fmt::format(R"("micro_batch":{})", slice.microBatch);
  if (!slice.place.empty())
    arguments += fmt::format(R"({}"place":{})", arguments.empty() ? "" : ",",
                             quoted(slice.place));
  if (!arguments.empty())
    arguments = fmt::format(R"(,"args":{{{}}})", arguments);
  add(fmt::format(
      R"({{"ph":"X","name":{},"cat":{},"pid":{},"tid":{},"ts":{:.3f},"dur":{:.3f}{}}})",
      quoted(slice.name), quoted(slice.category), process, row, slice.start,
      slice.duration, arguments));
}

void ChromeTrace::add(std::string_view event) {
  if (!text_.empty()) text_ += kFileBetween;
  text_ += event;
}

}  // namespace sbp::trace
