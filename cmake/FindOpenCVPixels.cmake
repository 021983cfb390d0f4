# Only core and imgproc of OpenCV, found without the umbrella package libopencv-dev, which would
# bring every module and its dependencies. Defines OpenCVPixels::OpenCVPixels.
include(FindPackageHandleStandardArgs)
find_path(OPENCV_INCLUDE_DIR opencv2/imgproc.hpp PATH_SUFFIXES opencv4)
find_library(OPENCV_CORE_LIBRARY opencv_core)
find_library(OPENCV_IMGPROC_LIBRARY opencv_imgproc)
find_package_handle_standard_args(OpenCVPixels
  REQUIRED_VARS OPENCV_CORE_LIBRARY OPENCV_IMGPROC_LIBRARY OPENCV_INCLUDE_DIR)
if(OpenCVPixels_FOUND AND NOT TARGET OpenCVPixels::OpenCVPixels)
  add_library(OpenCVPixels::OpenCVPixels INTERFACE IMPORTED)
  set_target_properties(OpenCVPixels::OpenCVPixels PROPERTIES
    INTERFACE_INCLUDE_DIRECTORIES "${OPENCV_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${OPENCV_IMGPROC_LIBRARY};${OPENCV_CORE_LIBRARY}")
endif()
mark_as_advanced(OPENCV_INCLUDE_DIR OPENCV_CORE_LIBRARY OPENCV_IMGPROC_LIBRARY)
