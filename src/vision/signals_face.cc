#include "vision/signals_face.h"

#include <array>

namespace holostat::vision {
namespace {

struct Gap {
  std::uint16_t upper, lower;
};

// The mesh points of one side.
struct EyePoints {
  std::uint16_t outer, inner;  // corners
  std::array<Gap, 3> lids;
  std::array<std::uint16_t, 5> brow;
  std::uint16_t iris;  // its centre
};
constexpr EyePoints kRightEye{
    33, 133, {{{159, 145}, {158, 153}, {160, 144}}}, {70, 63, 105, 66, 107}, 468};
constexpr EyePoints kLeftEye{
    263, 362, {{{386, 374}, {385, 380}, {387, 373}}}, {300, 293, 334, 296, 336}, 473};

constexpr double kShut = 0.12;          // openness under which the iris is a guess
constexpr double kEyeballRadius = 1.2;  // cm, of an adult

// How far the centre of the iris lies above the line of the corners when one looks straight ahead,
// cm: the middle of what the shared pictures of people who look into the camera give
// (docs/signals.md).
constexpr double kIrisAtRest = 0.15;

double Arcsine(double ratio) { return std::asin(std::clamp(ratio, -1.0, 1.0)) * kDegrees; }

class FaceReader {
 public:
  FaceReader(const Face& face, const FaceGeometry& geometry) : face_(face), geometry_(geometry) {}

  FaceSignals Read() const {
    FaceSignals signals{ReadEye(kLeftEye), ReadEye(kRightEye)};
    signals.mouth_openness = Ratio(Distance(13, 14), Distance(78, 308));
    return signals;
  }

 private:
  Vec3 At(std::size_t index) const { return geometry_.OnCanonicalFace(face_.points[index]); }
  double Distance(std::size_t a, std::size_t b) const { return Length(At(a) - At(b)); }
  static double Ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

  EyeSignals ReadEye(const EyePoints& eye) const {
    double gaps = 0, brow = 0;
    for (const Gap& gap : eye.lids) gaps += Distance(gap.upper, gap.lower);
    for (const std::size_t index : eye.brow) brow += At(index).y;
    const Vec3 centre = Middle(At(eye.outer), At(eye.inner));
    EyeSignals signals;
    signals.openness =
        Ratio(gaps / static_cast<double>(eye.lids.size()), Distance(eye.outer, eye.inner));
    signals.brow = Ratio(brow / static_cast<double>(eye.brow.size()) - centre.y,
                         Distance(kLeftEye.outer, kRightEye.outer));
    if (face_.count > eye.iris && signals.openness >= kShut) {
      const Vec3 iris = At(eye.iris) - centre;
      signals.gaze =
          Gaze{Arcsine(iris.x / kEyeballRadius), Arcsine((iris.y - kIrisAtRest) / kEyeballRadius)};
    }
    return signals;
  }

  const Face& face_;
  const FaceGeometry& geometry_;
};

}  // namespace

FaceSignals FaceSignalsOf(const Face& face, const FaceGeometry& geometry) {
  return FaceReader(face, geometry).Read();
}

}  // namespace holostat::vision
