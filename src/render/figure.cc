#include "render/figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <numbers>

#include "render/topology.h"

namespace holostat::render {
namespace {

// Widths, as shares of a size. A part never gets thicker than the picture's diagonal allows, nor
// than its own size does: so a far person stays a drawing and does not become a blob.
constexpr double kBodyWidthOfDiagonal = 0.0042;
constexpr double kBodyWidthOfBody = 0.012;
constexpr double kHandWidthOfHand = 0.030;
constexpr double kHandWidthOfBodyWidth = 0.75;
constexpr double kFaceWidthOfFace = 0.011;
constexpr double kFaceWidthOfBodyWidth = 0.36;
constexpr double kMinBodyWidth = 1.2;
constexpr double kMinHandWidth = 0.8;
constexpr double kMinFaceWidth = 0.7;
constexpr double kDotOfWidth = 2.1;
constexpr double kHandDotOfWidth = 1.7;
constexpr double kCoreOfWidth = 0.9;
constexpr double kRimOfWidth = 0.28;
constexpr double kMinRim = 0.35;

// Sizes of a part, in pixels, from which its details can be told apart.
constexpr double kFaceWithEyes = 24;
constexpr double kFaceWithIrises = 56;
constexpr double kHandWithDots = 20;

// Landmark numbers of the pose.
constexpr int kLastFacePoint = 10;
constexpr std::size_t kLeftWrist = 15, kRightWrist = 16;
constexpr int kFirstHandPoint = 17;
constexpr int kLastHandPoint = 22;

bool IsFinite(const Point& p) { return std::isfinite(p.x) && std::isfinite(p.y); }

// The box around the points that are finite.
class Bounds {
 public:
  void Add(const Point& p) {
    if (!IsFinite(p)) return;
    low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
    high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y)};
  }
  double width() const { return std::max(0.0, high_.x - low_.x); }
  double height() const { return std::max(0.0, high_.y - low_.y); }

 private:
  Point low_{HUGE_VAL, HUGE_VAL};
  Point high_{-HUGE_VAL, -HUGE_VAL};
};

// The part of the picture's surroundings in which lines are kept: one picture size to each side.
struct Surroundings {
  double width = 0, height = 0;

  bool Holds(const Point& p) const {
    return p.x >= -width && p.x <= 2 * width && p.y >= -height && p.y <= 2 * height;
  }

  // Cuts `s` to what lies inside (Liang and Barsky's method); false when nothing does.
  bool Clip(Segment& s) const {
    if (Holds(s.from) && Holds(s.to)) return true;
    double start = 0, end = 1;
    const double dx = s.to.x - s.from.x, dy = s.to.y - s.from.y;
    const auto cut = [&](double step, double room) {  // keeps t with t * step <= room
      if (step == 0) return room >= 0;
      if (step < 0) start = std::max(start, room / step);
      if (step > 0) end = std::min(end, room / step);
      return start <= end;
    };
    if (!cut(-dx, s.from.x + width) || !cut(dx, 2 * width - s.from.x) ||
        !cut(-dy, s.from.y + height) || !cut(dy, 2 * height - s.from.y)) {
      return false;
    }
    s = {At(s, start), At(s, end)};
    return true;
  }

 private:
  // Held inside once more, as rounding is coarse for ends at 1e30.
  Point At(const Segment& s, double t) const {
    return {std::clamp(s.from.x + t * (s.to.x - s.from.x), -width, 2 * width),
            std::clamp(s.from.y + t * (s.to.y - s.from.y), -height, 2 * height)};
  }
};

// Draws with the lines of one part. Holds the largest one, the tessellation.
class Drafter {
 public:
  Drafter(const FigureOptions& options, Sketch& sketch)
      : around_{static_cast<double>(options.width), static_cast<double>(options.height)},
        sketch_(sketch) {}

  Drafter& Line(const Point& from, const Point& to) {
    Segment segment{from, to};
    if (IsFinite(from) && IsFinite(to) && around_.Clip(segment)) Keep(segment);
    return *this;
  }

  Drafter& Dot(const Point& p) {
    if (IsFinite(p) && around_.Holds(p)) Keep({p, p});
    return *this;
  }

  Drafter& Lines(std::span<const Edge> edges, std::span<const Point> points) {
    for (const Edge& edge : edges) Line(points[edge.from], points[edge.to]);
    return *this;
  }

  // Draws what was added since the last time, and forgets it.
  void Ink(const Pen& pen) {
    if (count_ != 0) sketch_.Stroke(pen, {segments_.data(), count_});
    count_ = 0;
  }

  // The same for the dark rim around shapes that are `width` wide, drawn with lines of `line`
  // pixels.
  void InkHalo(double width, double line) {
    Ink({Tone::kHalo, width + 2 * std::max(kMinRim, kRimOfWidth * line)});
  }

 private:
  void Keep(const Segment& segment) {
    if (count_ < segments_.size()) segments_[count_++] = segment;
  }

  Surroundings around_;
  Sketch& sketch_;
  std::size_t count_ = 0;
  std::array<Segment, 1344> segments_;  // the tessellation has 1322
};

template <class Landmarks, std::size_t kCount>
void ToPixels(const Landmarks& landmarks, const FigureOptions& options,
              std::array<Point, kCount>& points) {
  std::size_t i = 0;
  for (const auto& p : landmarks) {
    points[i++] = {static_cast<double>(p.x) * options.width,
                   static_cast<double>(p.y) * options.height};
  }
}

// The pose as it is to be drawn.
struct Body {
  std::array<Point, kPoseLandmarkCount> points;
  std::array<bool, kPoseLandmarkCount> shown;
  double width = 1;  // of its lines
};

Body PlanBody(const Person& person, const FigureOptions& options) {
  Body body;
  ToPixels(person.pose_landmarks, options, body.points);
  Bounds bounds;
  for (std::size_t i = 0; i < kPoseLandmarkCount; ++i) {
    body.shown[i] = person.pose_landmarks[i].visibility >= options.min_visibility;
    if (body.shown[i]) bounds.Add(body.points[i]);
  }
  const double diagonal = std::hypot(options.width, options.height);
  body.width = std::max(kMinBodyWidth,
                        std::min(kBodyWidthOfDiagonal * diagonal,
                                 kBodyWidthOfBody * std::hypot(bounds.width(), bounds.height())));
  const auto hide = [&](int first, int last, int step) {
    for (int i = first; i <= last; i += step) body.shown[static_cast<std::size_t>(i)] = false;
  };
  if (person.face) hide(0, kLastFacePoint, 1);
  if (person.left_hand) hide(kFirstHandPoint, kLastHandPoint, 2);
  if (person.right_hand) hide(kFirstHandPoint + 1, kLastHandPoint, 2);
  return body;
}

// Left points of the pose have odd numbers, but for the eyes.
Tone ToneOfPosePoint(std::size_t i) {
  if (i == 0) return Tone::kMiddle;
  if (i <= 6) return i <= 3 ? Tone::kLeft : Tone::kRight;
  return i % 2 == 1 ? Tone::kLeft : Tone::kRight;
}

Tone ToneOfPoseEdge(const Edge& edge) {
  if (edge.from == 0) return ToneOfPosePoint(edge.to);
  const Tone from = ToneOfPosePoint(edge.from);
  return from == ToneOfPosePoint(edge.to) ? from : Tone::kMiddle;
}

constexpr auto kAnyTone = [](Tone) { return true; };

// The pose's points of face and hands are close together: finer than the joints of the body.
bool IsSmallPosePoint(std::size_t i) {
  return i <= kLastFacePoint || (i >= kFirstHandPoint && i <= kLastHandPoint);
}

template <class Choose>
void AddPoseLines(const Body& body, Choose choose, Drafter& draft) {
  for (const Edge& edge : PoseEdges()) {
    if (!body.shown[edge.from] || !body.shown[edge.to] || !choose(ToneOfPoseEdge(edge))) continue;
    draft.Line(body.points[edge.from], body.points[edge.to]);
  }
}

template <class Choose>
void AddPoseDots(const Body& body, bool small, Choose choose, Drafter& draft) {
  for (std::size_t i = 0; i < kPoseLandmarkCount; ++i) {
    if (!body.shown[i] || small != IsSmallPosePoint(i) || !choose(ToneOfPosePoint(i))) continue;
    draft.Dot(body.points[i]);
  }
}

void DrawPose(const Body& body, Drafter& draft) {
  constexpr Tone kTones[] = {Tone::kMiddle, Tone::kLeft, Tone::kRight};
  AddPoseLines(body, kAnyTone, draft);
  draft.InkHalo(body.width, body.width);
  for (const Tone tone : kTones) {
    AddPoseLines(
        body, [=](Tone other) { return other == tone; }, draft);
    draft.Ink({tone, body.width});
  }
  for (const bool small : {true, false}) {
    const double width = body.width * kDotOfWidth * (small ? 0.7 : 1);
    AddPoseDots(body, small, kAnyTone, draft);
    draft.InkHalo(width, body.width);
    for (const Tone tone : kTones) {
      AddPoseDots(
          body, small, [=](Tone other) { return other == tone; }, draft);
      draft.Ink({tone, width});
    }
    if (small) continue;
    AddPoseDots(body, small, kAnyTone, draft);
    draft.Ink({Tone::kCore, body.width * kCoreOfWidth});
  }
}

// Of the six colours of a hand: 0 for the palm and wrist, 1 thumb to 5 pinky.
int FingerOfPoint(std::size_t i) { return static_cast<int>((i + 3) / 4); }

int FingerOfEdge(const Edge& edge) {
  const bool along_finger = edge.to == edge.from + 1 && edge.from != 0;
  return along_finger ? FingerOfPoint(edge.from) : 0;
}

// The pose and the hand model each have their own idea of where the wrist is; a line joins the two
// unless they are so far apart that one of them must be wrong. It starts at the rim of the pose's
// dot.
void LinkToWrist(const Body& body, std::size_t wrist, const Point& hand_wrist, double hand_size,
                 Drafter& draft) {
  const Point& p = body.points[wrist];
  const double dx = hand_wrist.x - p.x, dy = hand_wrist.y - p.y, distance = std::hypot(dx, dy);
  const double rim = body.width * (kDotOfWidth / 2 + kRimOfWidth);
  if (!body.shown[wrist] || !(distance > rim && distance < hand_size)) return;
  draft.Line({p.x + dx * rim / distance, p.y + dy * rim / distance}, hand_wrist);
}

struct HandSide {
  Tone palm;          // the five finger tones follow it
  std::size_t wrist;  // of the pose
};

void DrawHand(const Hand& hand, const HandSide& side, const Body& body,
              const FigureOptions& options, Drafter& draft) {
  std::array<Point, kHandLandmarkCount> points;
  ToPixels(hand.landmarks, options, points);
  Bounds bounds;
  for (const Point& p : points) bounds.Add(p);
  const double size = std::max(bounds.width(), bounds.height());
  const double width = std::max(
      kMinHandWidth, std::min(kHandWidthOfBodyWidth * body.width, kHandWidthOfHand * size));
  const auto tone = [&](int finger) {
    return static_cast<Tone>(static_cast<int>(side.palm) + finger);
  };

  LinkToWrist(body, side.wrist, points[0], size, draft);
  draft.Lines(HandEdges(), points).InkHalo(width, width);
  LinkToWrist(body, side.wrist, points[0], size, draft);
  for (int finger = 0; finger <= 5; ++finger) {
    for (const Edge& edge : HandEdges()) {
      if (FingerOfEdge(edge) == finger) draft.Line(points[edge.from], points[edge.to]);
    }
    draft.Ink({tone(finger), width});
  }
  if (options.detail == Detail::kLegible && size < kHandWithDots) return;
  const double dot = width * kHandDotOfWidth;
  for (const Point& p : points) draft.Dot(p);
  draft.InkHalo(dot, width);
  for (int finger = 0; finger <= 5; ++finger) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (FingerOfPoint(i) == finger) draft.Dot(points[i]);
    }
    draft.Ink({tone(finger), dot});
  }
}

// The ellipse through the four points of an iris, which `edges` name in order around it.
void AddIris(std::span<const Edge> edges, std::span<const Point> points, Drafter& draft) {
  const Point &right = points[edges[0].from], &top = points[edges[1].from];
  const Point &left = points[edges[2].from], &bottom = points[edges[3].from];
  const Point centre{(right.x + left.x + top.x + bottom.x) / 4,
                     (right.y + left.y + top.y + bottom.y) / 4};
  constexpr int kSteps = 16;
  const auto at = [&](int step) {
    const double angle = 2 * std::numbers::pi * step / kSteps;
    const double c = std::cos(angle) / 2, s = std::sin(angle) / 2;
    return Point{centre.x + c * (right.x - left.x) + s * (top.x - bottom.x),
                 centre.y + c * (right.y - left.y) + s * (top.y - bottom.y)};
  };
  for (int step = 0; step < kSteps; ++step) draft.Line(at(step), at(step + 1));
}

void DrawContours(std::span<const Point> points, bool eyes, double width, Drafter& draft) {
  struct Contour {
    Tone tone;
    std::span<const Edge> edges;
    double share;  // of the width
  };
  const Contour contours[] = {
      {Tone::kOval, FaceOvalEdges(), 1},           {Tone::kLips, FaceLipsEdges(), 1},
      {Tone::kLeftEye, FaceLeftEyebrowEdges(), 1}, {Tone::kRightEye, FaceRightEyebrowEdges(), 1},
      {Tone::kLeftEye, FaceLeftEyeEdges(), 0.8},   {Tone::kRightEye, FaceRightEyeEdges(), 0.8},
  };
  const auto shown = std::span(contours).first(eyes ? std::size(contours) : 1);
  for (const Contour& contour : shown) draft.Lines(contour.edges, points);
  draft.InkHalo(width, width);
  for (const Contour& contour : shown) {
    draft.Lines(contour.edges, points).Ink({contour.tone, width * contour.share});
  }
}

void DrawIrises(std::span<const Point> points, double width, Drafter& draft) {
  AddIris(FaceLeftIrisEdges(), points, draft);
  AddIris(FaceRightIrisEdges(), points, draft);
  draft.InkHalo(width, width);
  AddIris(FaceLeftIrisEdges(), points, draft);
  draft.Ink({Tone::kLeftIris, width});
  AddIris(FaceRightIrisEdges(), points, draft);
  draft.Ink({Tone::kRightIris, width});
}

void DrawFace(const Face& face, double body_width, const FigureOptions& options, Drafter& draft) {
  std::array<Point, kFaceRefinedCount> points;
  ToPixels(face.landmarks(), options, points);
  Bounds bounds;
  for (const Edge& edge : FaceOvalEdges()) bounds.Add(points[edge.from]);
  const double size = std::max(bounds.width(), bounds.height());
  const double width = std::max(
      kMinFaceWidth, std::min(kFaceWidthOfBodyWidth * body_width, kFaceWidthOfFace * size));
  const bool all = options.detail == Detail::kAll;
  if (options.face == FaceStyle::kTessellation && (all || size >= kFaceWithIrises)) {
    draft.Lines(FaceTessellationEdges(), points).Ink({Tone::kMesh, width * 0.5});
  }
  DrawContours(points, all || size >= kFaceWithEyes, width, draft);
  const bool refined = face.count == kFaceRefinedCount;
  if (refined && (all || size >= kFaceWithIrises)) DrawIrises(points, width * 0.7, draft);
}

}  // namespace

void DrawFigure(const Person& person, const FigureOptions& options, Sketch& sketch) {
  Drafter draft(options, sketch);
  const Body body = PlanBody(person, options);
  sketch.BeginPart(Part::kPose);
  DrawPose(body, draft);
  sketch.EndPart();
  if (person.face && options.face != FaceStyle::kNone) {
    sketch.BeginPart(Part::kFace);
    DrawFace(*person.face, body.width, options, draft);
    sketch.EndPart();
  }
  if (person.left_hand) {
    sketch.BeginPart(Part::kLeftHand);
    DrawHand(*person.left_hand, {Tone::kLeftPalm, kLeftWrist}, body, options, draft);
    sketch.EndPart();
  }
  if (person.right_hand) {
    sketch.BeginPart(Part::kRightHand);
    DrawHand(*person.right_hand, {Tone::kRightPalm, kRightWrist}, body, options, draft);
    sketch.EndPart();
  }
}

}  // namespace holostat::render
