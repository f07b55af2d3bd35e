// Four ranks on one host of modest speed: the machine that `sbpc -n 4` assumes without
// another one, except that its memory is that of the host on which sbpc runs.
// `sbprun --calibrate` measures a machine instead.
//
// rank   alpha, beta: a message over shared memory between two processes, as
//   measured on a server with 2.6 GHz cores.
// device One core. f32: 50 GFLOP/s, half of what one with AVX2 computes at 3 GHz
//   (two multiply-adds of eight); f64: half of that. bandwidth: 10 GB/s, what
//   one core streams on any server of the last ten years. memory: a quarter of
//   16 GiB.
sbp.machine @host [#sbp.level<"rank" x 4, alpha = 1.0e-6, beta = 1.0e-10>]
  device #sbp.device<memory = 4GiB, bandwidth = 1.0e10, rates = [
    #sbp.rate<f32, 5.0e10>, #sbp.rate<f64, 2.5e10>]>
