#include "render/overlay.h"

#include "render/canvas.h"
#include "render/figure.h"
#include "render/id_label.h"

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

// Over everybody, so that nobody's limbs hide another's.
void DrawLabels(const FrameResult& frame, const Image& image, Canvas& canvas) {
  for (const Person& person : frame.people) {
    const IdLabel label(person, image.width(), image.height());
    if (label.segments().empty()) continue;
    canvas.Stroke(StyleOf(Tone::kHalo), 2 * label.width(), label.segments());
    canvas.Stroke({"label", PersonColor(person.id)}, label.width(), label.segments());
  }
}

}  // namespace

void DrawOverlay(const FrameResult& frame, const OverlayOptions& options, Image& image) {
  Canvas canvas(image);
  if (options.tint_mask) {
    for (const Person& person : frame.people) {
      if (person.segmentation) canvas.Tint(*person.segmentation, PersonColor(person.id));
    }
  }
  CanvasSketch sketch(canvas);
  const FigureOptions figure{image.width(), image.height(), options.face, options.min_visibility,
                             Detail::kLegible};
  for (const Person& person : frame.people) DrawFigure(person, figure, sketch);
  if (frame.people.size() > 1) DrawLabels(frame, image, canvas);
}

}  // namespace holostat::render
