#include "media/av/test_media.h"

extern "C" {
#include <libavutil/channel_layout.h>
#include <libavutil/opt.h>
}

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "base/check.h"
#include "media/av/handles.h"

namespace holostat::media::av {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr int kSampleRate = 48'000;

struct FreeOutputFormat {
  void operator()(AVFormatContext* it) const {
    avio_closep(&it->pb);
    avformat_free_context(it);
  }
};
using OutputFormat = std::unique_ptr<AVFormatContext, FreeOutputFormat>;

OutputFormat OpenOutput(const std::filesystem::path& path) {
  AVFormatContext* format = nullptr;
  HOLO_CHECK(avformat_alloc_output_context2(&format, nullptr, nullptr, path.c_str()) >= 0);
  HOLO_CHECK(avio_open(&format->pb, path.c_str(), AVIO_FLAG_WRITE) >= 0);
  return OutputFormat(format);
}

CodecHandle OpenEncoder(const AVFormatContext& format, const char* name) {
  const AVCodec* codec = avcodec_find_encoder_by_name(name);
  HOLO_CHECK(codec != nullptr);
  CodecHandle encoder(avcodec_alloc_context3(codec));
  if ((format.oformat->flags & AVFMT_GLOBALHEADER) != 0)
    encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  return encoder;
}

AVStream* AddStream(AVFormatContext& format, CodecHandle& encoder) {
  HOLO_CHECK(avcodec_open2(encoder.get(), nullptr, nullptr) == 0);
  AVStream* stream = avformat_new_stream(&format, nullptr);
  stream->time_base = encoder->time_base;
  HOLO_CHECK(avcodec_parameters_from_context(stream->codecpar, encoder.get()) >= 0);
  return stream;
}

CodecHandle OpenAudioEncoder(const AVFormatContext& format, const char* name) {
  CodecHandle encoder = OpenEncoder(format, name);
  encoder->sample_rate = kSampleRate;
  encoder->sample_fmt = encoder->codec->sample_fmts[0];
  av_channel_layout_default(&encoder->ch_layout, 1);
  encoder->time_base = {1, kSampleRate};
  return encoder;
}

CodecHandle OpenVideoEncoder(const AVFormatContext& format, int fps) {
  CodecHandle encoder = OpenEncoder(format, "mpeg4");
  encoder->width = encoder->height = 64;
  encoder->pix_fmt = AV_PIX_FMT_YUV420P;
  encoder->time_base = {1, fps};
  return encoder;
}

void Encode(AVFormatContext& format, AVStream& stream, AVCodecContext& encoder,
            const AVFrame* frame) {
  HOLO_CHECK(avcodec_send_frame(&encoder, frame) >= 0);
  const PacketHandle packet(av_packet_alloc());
  while (avcodec_receive_packet(&encoder, packet.get()) >= 0) {
    packet->stream_index = stream.index;
    av_packet_rescale_ts(packet.get(), encoder.time_base, stream.time_base);
    HOLO_CHECK(av_interleaved_write_frame(&format, packet.get()) >= 0);
  }
}

float ToneAt(std::int64_t sample) {
  return 0.3f * static_cast<float>(std::sin(2 * std::numbers::pi * 440 *
                                            static_cast<double>(sample) / kSampleRate));
}

void EncodeTone(AVFormatContext& format, AVStream& stream, AVCodecContext& encoder,
                std::int64_t first, std::int64_t count) {
  const FrameHandle frame(av_frame_alloc());
  frame->format = encoder.sample_fmt;
  frame->sample_rate = kSampleRate;
  frame->nb_samples = encoder.frame_size > 0 ? encoder.frame_size : 1024;
  HOLO_CHECK(av_channel_layout_copy(&frame->ch_layout, &encoder.ch_layout) >= 0);
  HOLO_CHECK(av_frame_get_buffer(frame.get(), 0) >= 0);
  for (std::int64_t at = 0; at < count; at += frame->nb_samples) {
    HOLO_CHECK(av_frame_make_writable(frame.get()) >= 0);
    for (int i = 0; i < frame->nb_samples; ++i) {
      const float value = ToneAt(at + i);
      if (av_get_bytes_per_sample(encoder.sample_fmt) == 4)
        reinterpret_cast<float*>(frame->data[0])[i] = value;
      else
        reinterpret_cast<std::int16_t*>(frame->data[0])[i] =
            static_cast<std::int16_t>(value * 32'767);
    }
    frame->pts = first + at;
    Encode(format, stream, encoder, frame.get());
  }
  Encode(format, stream, encoder, nullptr);
}

void EncodeGrey(AVFormatContext& format, AVStream& stream, AVCodecContext& encoder,
                const ClipOptions& options) {
  const FrameHandle frame(av_frame_alloc());
  frame->format = encoder.pix_fmt;
  frame->width = encoder.width;
  frame->height = encoder.height;
  HOLO_CHECK(av_frame_get_buffer(frame.get(), 0) >= 0);
  for (int i = 0; i < options.frames; ++i) {
    HOLO_CHECK(av_frame_make_writable(frame.get()) >= 0);
    for (int plane = 0; plane < 3; ++plane) {
      const int rows = plane > 0 ? frame->height / 2 : frame->height;
      std::fill_n(frame->data[plane], rows * frame->linesize[plane],
                  static_cast<std::uint8_t>(128));
    }
    frame->pts = options.video_start.count() * options.fps / 1000 + i;
    Encode(format, stream, encoder, frame.get());
  }
  Encode(format, stream, encoder, nullptr);
}

std::string NameOf(const AVStream* stream) {
  return stream == nullptr ? "" : avcodec_get_name(stream->codecpar->codec_id);
}

const AVStream* FindStream(AVFormatContext& format, AVMediaType type) {
  const int best = av_find_best_stream(&format, type, -1, -1, nullptr, 0);
  return best < 0 ? nullptr : format.streams[best];
}

}  // namespace

void MakeTone(const std::filesystem::path& path, const char* codec, milliseconds length) {
  const OutputFormat format = OpenOutput(path);
  CodecHandle encoder = OpenAudioEncoder(*format, codec);
  AVStream* stream = AddStream(*format, encoder);
  HOLO_CHECK(avformat_write_header(format.get(), nullptr) >= 0);
  EncodeTone(*format, *stream, *encoder, 0, length.count() * kSampleRate / 1000);
  HOLO_CHECK(av_write_trailer(format.get()) >= 0);
}

void MakeClip(const std::filesystem::path& path, const ClipOptions& options) {
  const OutputFormat format = OpenOutput(path);
  CodecHandle video = OpenVideoEncoder(*format, options.fps);
  CodecHandle audio = OpenAudioEncoder(*format, "aac");
  AVStream* video_stream = AddStream(*format, video);
  AVStream* audio_stream = AddStream(*format, audio);
  HOLO_CHECK(avformat_write_header(format.get(), nullptr) >= 0);
  EncodeGrey(*format, *video_stream, *video, options);
  EncodeTone(*format, *audio_stream, *audio, options.audio_start.count() * kSampleRate / 1000,
             std::int64_t{options.frames} * kSampleRate / options.fps);
  HOLO_CHECK(av_write_trailer(format.get()) >= 0);
}

TestFile ReadTestFile(const std::filesystem::path& path) {
  AVFormatContext* context = nullptr;
  HOLO_CHECK(avformat_open_input(&context, path.c_str(), nullptr, nullptr) >= 0);
  const InputHandle format(context);
  HOLO_CHECK(avformat_find_stream_info(context, nullptr) >= 0);
  const AVStream* video = FindStream(*context, AVMEDIA_TYPE_VIDEO);
  const AVStream* audio = FindStream(*context, AVMEDIA_TYPE_AUDIO);
  TestFile file;
  file.video = NameOf(video);
  file.audio = NameOf(audio);
  file.duration = microseconds(context->duration);
  if (video != nullptr) {
    const AVCodecParameters& codec = *video->codecpar;
    file.width = codec.width;
    file.height = codec.height;
    file.matrix = codec.color_space;
    file.range = codec.color_range;
    file.primaries = codec.color_primaries;
  }
  const AVDictionaryEntry* entry = nullptr;
  while ((entry = av_dict_get(context->metadata, "", entry, AV_DICT_IGNORE_SUFFIX)) != nullptr)
    file.metadata[entry->key] = entry->value;
  const PacketHandle packet(av_packet_alloc());
  while (av_read_frame(context, packet.get()) >= 0) {
    const AVStream* stream = context->streams[packet->stream_index];
    TestPacket one{
        microseconds(av_rescale_q(packet->pts, stream->time_base, {1, 1'000'000})),
        (packet->flags & AV_PKT_FLAG_KEY) != 0,
        {reinterpret_cast<const char*>(packet->data), static_cast<std::size_t>(packet->size)}};
    if (stream == video) file.video_packets.push_back(std::move(one));
    if (stream == audio) file.audio_packets.push_back(std::move(one));
    av_packet_unref(packet.get());
  }
  return file;
}

}  // namespace holostat::media::av
