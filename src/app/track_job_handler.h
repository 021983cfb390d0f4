#pragma once

#include <cstdint>
#include <memory>

#include "pipeline/track_request.h"
#include "runtime/job_handler.h"

namespace holostat::app {

// What the workers of this program do: pipeline::RequestTracker behind the messages of ipc.
class TrackJobHandler final : public runtime::JobHandler {
 public:
  TrackJobHandler(std::unique_ptr<pipeline::RequestTracker> tracker, std::uint32_t models)
      : tracker_(std::move(tracker)), models_(models) {}

  std::uint32_t models() const override { return models_; }
  void PrepareWorker() override;
  Result<runtime::JobOutcome> Handle(const ipc::Job& job, std::span<const std::byte> request,
                                     std::span<std::byte> answer) override;
  void Trim() override { tracker_->Trim(); }

 private:
  std::unique_ptr<pipeline::RequestTracker> tracker_;
  std::uint32_t models_;
};

}  // namespace holostat::app
