#include <eagle/conformance/Handles.h>
#include <eagle/conformance/Program.h>
#include <eagle/conformance/Row.h>

using namespace eagle::conformance;

EAGLE_ROW("stream-of-our-own", .covers = {Symbol::stream_create}) {
    const StreamHandle stream(c);
    ROW_EXPECT(c, stream.raw() != 0);
    stream.synchronize();
}

int main(int argc, char** argv) { return run_program(argc, argv); }
