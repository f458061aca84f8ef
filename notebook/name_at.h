// Which name a place in a text is about.
//
//     torch.re|lu(x)        torch.relu
//     torch.relu(x, |       torch.relu: the call around it
//     torch.relu("a(b|      torch.relu: strings, comments and numbers name nothing
//     :gra|ph f             :graph
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace glint::notebook {

/// Of a byte of the text; empty where no name is near.
std::string name_at(std::string_view text, size_t at);

}  // namespace glint::notebook
