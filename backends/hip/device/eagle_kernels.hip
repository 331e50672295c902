// The device code of kind hip: what GPU kinds share, without conditional nodes.
#include "DeviceWords.h"
// The words come first.
#include "filtering.cu"
