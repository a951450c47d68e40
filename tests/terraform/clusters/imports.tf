import {
  to = aws_iam_role.iam_controller
  id = "KarpenterController-plain"
}

import {
  to = aws_sqs_queue.iam_interruption
  id = "https://sqs.us-west-2.amazonaws.com/123456789012/Karpenter-plain"
}
