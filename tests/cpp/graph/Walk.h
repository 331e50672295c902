// The control flow of a description, decided on the host: its nodes one after the other. What a node does, and where
// cells lie, a class made of it says.
#pragma once
#include <eagle/GraphDescription.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace graphtest {

class Walker {
  public:
    virtual ~Walker() = default;
    Walker(const Walker&) = delete;
    Walker& operator=(const Walker&) = delete;
    // Names of the nodes in the order they ran, conditionals included, once an evaluation.
    const std::vector<std::string>& ran() const { return ran_; }

  protected:
    explicit Walker(const eagle::GraphDescription& description) : description_(description) {}
    void body(std::uint32_t number);
    // Of a node that is no conditional.
    virtual void work(const eagle::graph::Node& node) = 0;
    virtual std::uint32_t read(eagle::graph::CellRef cell) = 0;
    virtual void write(eagle::graph::PlaneRef plane, std::span<const std::uint32_t> words) = 0;
    // That of recording.
    virtual std::vector<std::uint32_t> order_of(std::uint32_t body);

    const eagle::GraphDescription& description_;
    std::vector<std::string> ran_;

  private:
    void node(const eagle::graph::Node& node);
    void loop(const eagle::graph::While& work);
    bool holds(const eagle::graph::Guard& guard);
};

}  // namespace graphtest
