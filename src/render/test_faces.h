#pragma once

#include <cstring>
#include <functional>

#include "holostat/frame_result.h"
#include "holostat/image.h"
#include "render/color_match.h"
#include "render/face_mesh.h"

namespace holostat::render {

// Made-up faces on the real mesh, for the tests of this module.

// A dome seen from the front, `size` wide and high around (x, y): fractions of a square picture.
inline Face DomeFace(float x, float y, float size) {
  Face face;
  face.score = 1;
  face.count = kFaceMeshCount;
  for (std::size_t i = 0; i < kFaceMeshCount; ++i) {
    const float u = FaceTexturePlaces()[i].u - 0.5f, v = FaceTexturePlaces()[i].v - 0.5f;
    face.points[i] = {x + size * u, y + size * v, -size * (0.3f - u * u - v * v)};
  }
  return face;
}

inline Person WithFace(const Face& face) {
  Person person;
  person.id = 1;
  person.score = 1;
  person.face = face;
  return person;
}

inline Image Painted(int side, const std::function<Color(float, float)>& color) {
  Image image(side, side);
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const Color c = color((static_cast<float>(x) + 0.5f) / static_cast<float>(side),
                            (static_cast<float>(y) + 0.5f) / static_cast<float>(side));
      for (std::size_t k = 0; k < 3; ++k)
        image.row(y)[3 * x + static_cast<int>(k)] = static_cast<std::uint8_t>(c[k] + 0.5f);
    }
  }
  return image;
}

inline Image Plain(int side, const Color& color) {
  return Painted(side, [&](float, float) { return color; });
}

// Smooth, with another colour in every place.
inline Image Colourful(int side) {
  return Painted(side, [](float x, float y) {
    return Color{60 + 120 * x, 90 + 90 * y, 150 - 60 * x - 40 * y};
  });
}

}  // namespace holostat::render
