#include "render/svg.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>

#include "render/figure.h"
#include "render/id_label.h"
#include "render/palette.h"
#include "render/xml_text.h"

namespace holostat::render {
namespace {

std::string_view PartName(Part part) {
  switch (part) {
    case Part::kPose:
      return "pose";
    case Part::kFace:
      return "face";
    case Part::kLeftHand:
      return "left-hand";
    case Part::kRightHand:
      return "right-hand";
  }
  return {};
}

void Append(std::initializer_list<std::string_view> texts, std::string& out) {
  for (const auto text : texts) out += text;
}

void AppendInt(std::int64_t value, std::string& out) {
  char digits[24];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

// With at most two decimals, without closing zeros. REQUIRES: |value| < 1e12.
void AppendDecimal(double value, std::string& out) {
  const auto hundredths = static_cast<std::int64_t>(std::llround(value * 100));
  if (hundredths < 0) out += '-';
  const std::int64_t size = std::abs(hundredths);
  AppendInt(size / 100, out);
  if (size % 100 == 0) return;
  Append({"."}, out);
  out += static_cast<char>('0' + size % 100 / 10);
  if (size % 10 != 0) out += static_cast<char>('0' + size % 10);
}

void AppendColor(Rgb color, std::string& out) {
  constexpr char kDigits[] = "0123456789abcdef";
  out += '#';
  for (const auto value : {color.r, color.g, color.b}) {
    out += {kDigits[value >> 4], kDigits[value & 15]};
  }
}

void AppendStyle(std::string& out) {
  out +=
      "<style>\n"
      ".holostat path{fill:none;stroke-linecap:round;stroke-linejoin:round}\n";
  for (const ToneStyle& tone : kToneStyles) {
    Append({".holostat .", tone.css_class, "{stroke:"}, out);
    AppendColor(tone.color, out);
    if (tone.opacity < 1) {
      out += ";stroke-opacity:";
      AppendDecimal(static_cast<double>(tone.opacity), out);
    }
    out += "}\n";
  }
  // With no picture below, white would be lost on a light page and a dark grey on a dark one.
  out +=
      ".holostat.bare .mesh{stroke:#8a93a8;stroke-opacity:0.6}\n"
      ".holostat.bare .middle,.holostat.bare .oval{stroke:#a3adc2}\n"
      "</style>\n";
}

void AppendPoint(const Point& p, std::string& out) {
  AppendDecimal(p.x, out);
  out += ' ';
  AppendDecimal(p.y, out);
}

// Segments that follow one another become one line, which is what keeps a face small.
void AppendPath(std::span<const Segment> segments, std::string& out) {
  out += "\" d=\"";
  const Segment* before = nullptr;
  for (const Segment& s : segments) {
    if (before == nullptr || before->to != s.from || s.from == s.to) {
      out += 'M';
      AppendPoint(s.from, out);
    }
    if (s.from == s.to) {
      out += "h0";  // a line of no length with round ends: a dot
    } else {
      out += ' ';
      AppendPoint(s.to, out);
    }
    before = &s;
  }
  out += "\"/>\n";
}

// The person's id, in their colour.
void AppendLabel(const Person& person, const FrameResult& frame, std::string& out) {
  const IdLabel label(person, frame.width, frame.height);
  if (label.segments().empty()) return;
  out += "<g class=\"label\">\n<path class=\"halo\" stroke-width=\"";
  AppendDecimal(2 * label.width(), out);
  AppendPath(label.segments(), out);
  out += "<path stroke=\"";
  AppendColor(PersonColor(person.id), out);
  out += "\" stroke-width=\"";
  AppendDecimal(label.width(), out);
  AppendPath(label.segments(), out);
  out += "</g>\n";
}

// Writes strokes as paths.
class SvgSketch : public Sketch {
 public:
  explicit SvgSketch(std::string& out) : out_(out) {}

  void SetPerson(std::string_view id) { person_ = id; }

  void BeginPart(Part part) override {
    const auto name = PartName(part);
    Append({"<g class=\"", name, "\" id=\"", person_, "-", name, "\">\n"}, out_);
  }

  void Stroke(const Pen& pen, std::span<const Segment> segments) override {
    Append({"<path class=\"", StyleOf(pen.tone).css_class, "\" stroke-width=\""}, out_);
    AppendDecimal(pen.width, out_);
    AppendPath(segments, out_);
  }

  void EndPart() override { out_ += "</g>\n"; }

 private:
  std::string& out_;
  std::string_view person_;
};

void AppendTitle(const FrameResult& frame, const SvgOptions& options, std::string& out) {
  out += "<title>";
  AppendXmlText(options.title.empty() ? "People found by Holostat" : options.title, out);
  out += "</title>\n<desc>";
  AppendInt(static_cast<std::int64_t>(frame.people.size()), out);
  out += frame.people.size() == 1 ? " person" : " people";
  out += " in a picture of ";
  AppendInt(frame.width, out);
  out += " x ";
  AppendInt(frame.height, out);
  out += " pixels.";
  for (const Person& person : frame.people) {
    out += " Person ";
    AppendInt(person.id, out);
    out += ": body";
    if (person.face) out += ", face";
    if (person.left_hand) out += ", left hand";
    if (person.right_hand) out += ", right hand";
    out += ".";
  }
  out += "</desc>\n";
}

void AppendSize(std::string_view before, std::string_view between, const FrameResult& frame,
                std::string& out) {
  out += before;
  AppendInt(std::max(0, frame.width), out);
  out += between;
  AppendInt(std::max(0, frame.height), out);
  out += '"';
}

// "person-7" for the person with id 7; should an id come twice, the place in the frame is added.
std::string GroupId(std::span<const Person> people, std::size_t i) {
  std::string id = "person-";
  AppendInt(people[i].id, id);
  const auto same = [&](const Person& other) { return other.id == people[i].id; };
  if (std::any_of(people.begin(), people.begin() + static_cast<std::ptrdiff_t>(i), same)) {
    id += "-at-";
    AppendInt(static_cast<std::int64_t>(i) + 1, id);
  }
  return id;
}

}  // namespace

std::string ToSvg(const FrameResult& frame, const SvgOptions& options) {
  const bool bare = options.picture_href.empty();
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\"";
  out += bare ? " class=\"holostat bare\"" : " class=\"holostat\"";
  AppendSize(" width=\"", "\" height=\"", frame, out);
  AppendSize(" viewBox=\"0 0 ", " ", frame, out);
  out += ">\n";
  AppendTitle(frame, options, out);
  AppendStyle(out);
  if (!bare) {
    AppendSize("<image class=\"picture\" width=\"", "\" height=\"", frame, out);
    out += " preserveAspectRatio=\"none\" href=\"";
    AppendXmlHref(options.picture_href, out);
    out += "\"/>\n";
  }
  SvgSketch sketch(out);
  const FigureOptions figure{frame.width, frame.height, options.face, options.min_visibility,
                             Detail::kAll};
  for (std::size_t i = 0; i < frame.people.size(); ++i) {
    const std::string id = GroupId(frame.people, i);
    Append({"<g class=\"person\" id=\"", id, "\">\n"}, out);
    sketch.SetPerson(id);
    DrawFigure(frame.people[i], figure, sketch);
    if (frame.people.size() > 1) AppendLabel(frame.people[i], frame, out);
    out += "</g>\n";
  }
  out += "</svg>\n";
  return out;
}

std::string HrefFromPath(std::string_view path) {
  constexpr std::string_view kPlain = "-._~/";
  std::string href;
  for (const char c : path) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || kPlain.find(c) != std::string_view::npos) {
      href += c;
    } else {
      AppendPercentEncoded(c, href);
    }
  }
  return href;
}

}  // namespace holostat::render
