# FFmpeg ships pkg-config files only. Defines FFmpeg::FFmpeg: demuxers, muxers, codecs, scalers, resamplers and devices.
include(FindPackageHandleStandardArgs)
find_package(PkgConfig)
if(PkgConfig_FOUND)
  pkg_check_modules(FFMPEG QUIET IMPORTED_TARGET
    libavformat>=59 libavcodec>=59 libavutil>=57 libswscale>=6 libswresample>=4 libavdevice>=59)
endif()
find_package_handle_standard_args(FFmpeg REQUIRED_VARS FFMPEG_LINK_LIBRARIES
  REASON_FAILURE_MESSAGE "On Debian: apt-get install libavformat-dev libavcodec-dev libavutil-dev libswscale-dev libswresample-dev libavdevice-dev")
if(FFmpeg_FOUND AND NOT TARGET FFmpeg::FFmpeg)
  add_library(FFmpeg::FFmpeg INTERFACE IMPORTED)
  set_target_properties(FFmpeg::FFmpeg PROPERTIES INTERFACE_LINK_LIBRARIES PkgConfig::FFMPEG)
endif()
