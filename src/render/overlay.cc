#include "render/overlay.h"

#include <iterator>

#include "render/canvas.h"
#include "render/figure.h"

namespace holostat::render {
namespace {

class CanvasSketch : public Sketch {
 public:
  explicit CanvasSketch(Canvas& canvas) : canvas_(canvas) {}

  void BeginPart(Part) override {}
  void Stroke(const Pen& pen, std::span<const Segment> segments) override {
    canvas_.Stroke(StyleOf(pen.tone), pen.width, segments);
  }
  void EndPart() override {}

 private:
  Canvas& canvas_;
};

}  // namespace

void DrawOverlay(const FrameResult& frame, const OverlayOptions& options, Image& image) {
  Canvas canvas(image);
  if (options.tint_mask) {
    for (std::size_t i = 0; i < frame.people.size(); ++i) {
      const auto& mask = frame.people[i].segmentation;
      if (mask) canvas.Tint(*mask, kMaskColors[i % std::size(kMaskColors)]);
    }
  }
  CanvasSketch sketch(canvas);
  const FigureOptions figure{image.width(), image.height(), options.face, options.min_visibility,
                             Detail::kLegible};
  for (const Person& person : frame.people) DrawFigure(person, figure, sketch);
}

}  // namespace holostat::render
