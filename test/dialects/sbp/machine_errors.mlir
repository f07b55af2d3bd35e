// RUN: sbp-opt %s --split-input-file --verify-diagnostics

// First prices, then levels with prices, then rates, then devices.

// expected-error @+2 {{collective 'broadcast' is none of 'all_reduce', 'all_gather', 'reduce_scatter', 'all_to_all'}}
sbp.machine @price_collective [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10, prices = [
  #sbp.price<broadcast, alpha = 1.0e-6, beta = 1.0e-10>]>]

// -----

sbp.machine @price_c1_of [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10, prices = [
  // expected-error @+1 {{price of all_reduce is 'of 1'; a group has at least 2 members}}
  #sbp.price<all_reduce of 1, alpha = 1.0e-6, beta = 1.0e-10>]>]

// -----

sbp.machine @price_c1_up_to [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10, prices = [
  // expected-error @+1 {{price of all_reduce is 'up to 0' bytes; that must be positive}}
  #sbp.price<all_reduce up to 0, alpha = 1.0e-6, beta = 1.0e-10>]>]

// -----

sbp.machine @price_c2 [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10, prices = [
  // expected-error @+1 {{price of all_to_all has alpha 1.000000e-06 and beta -1.000000e-10; alpha must be from -1e30 to 1e30, beta from 0 to 1e30}}
  #sbp.price<all_to_all, alpha = 1.0e-6, beta = -1.0e-10>]>]

// -----

// expected-error @+1 {{the prices of all_reduce are not next to each other}}
sbp.machine @level_c2_together [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10, prices = [
  #sbp.price<all_reduce of 2, alpha = 1.0e-6, beta = 1.0e-10>,
  #sbp.price<all_gather, alpha = 1.0e-6, beta = 1.0e-10>,
  #sbp.price<all_reduce of 4, alpha = 1.0e-6, beta = 1.0e-10>]>]

// -----

// expected-error @+1 {{some prices of all_reduce say 'of' and some do not}}
sbp.machine @level_c2_of [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10, prices = [
  #sbp.price<all_reduce, alpha = 1.0e-6, beta = 1.0e-10>,
  #sbp.price<all_reduce of 4, alpha = 1.0e-6, beta = 1.0e-10>]>]

// -----

// expected-error @+1 {{the prices of all_reduce do not ascend by 'of': 4, then 2}}
sbp.machine @level_c2_of_ascends [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10, prices = [
  #sbp.price<all_reduce of 4, alpha = 1.0e-6, beta = 1.0e-10>,
  #sbp.price<all_reduce of 2, alpha = 1.0e-6, beta = 1.0e-10>]>]

// -----

// expected-error @+1 {{the prices of all_reduce of 2 do not ascend by 'up to': 64, then 64}}
sbp.machine @level_c2_up_to [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10, prices = [
  #sbp.price<all_reduce of 2 up to 64, alpha = 1.0e-6, beta = 0.0>,
  #sbp.price<all_reduce of 2 up to 64, alpha = 2.0e-6, beta = 0.0>,
  #sbp.price<all_reduce of 2, alpha = 2.0e-6, beta = 0.0>]>]

// -----

// expected-error @+1 {{a price of all_reduce follows the one without 'up to'}}
sbp.machine @level_c2_twice [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10, prices = [
  #sbp.price<all_reduce, alpha = 1.0e-6, beta = 0.0>,
  #sbp.price<all_reduce, alpha = 2.0e-6, beta = 0.0>]>]

// -----

// expected-error @+1 {{all_reduce of 2 has no price for messages of more than 64 bytes}}
sbp.machine @level_c2_last [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10, prices = [
  #sbp.price<all_reduce of 2 up to 64, alpha = 1.0e-6, beta = 0.0>,
  #sbp.price<all_reduce of 4, alpha = 2.0e-6, beta = 0.0>]>]

// -----

// expected-error @+1 {{a message of 1000 bytes in all_reduce takes 2.000000e-06 s, a larger one only 1.000000e-06 s}}
sbp.machine @level_c3 [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10, prices = [
  #sbp.price<all_reduce up to 1000, alpha = 1.0e-6, beta = 1.0e-9>,
  #sbp.price<all_reduce, alpha = 1.0e-6, beta = 0.0>]>]

// -----

// expected-error @+1 {{the least messages of all_reduce of 4 have alpha -1.000000e-06; it must not be negative}}
sbp.machine @level_c4 [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10, prices = [
  #sbp.price<all_reduce of 2, alpha = 1.0e-6, beta = 1.0e-9>,
  #sbp.price<all_reduce of 4, alpha = -1.0e-6, beta = 1.0e-9>]>]

// -----

sbp.machine @rate_c1_type [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10>]
  device #sbp.device<memory = 1.0e9, bandwidth = 1.0e9, rates = [
    // expected-error @+1 {{rate is of 'index', which is neither an integer nor a float}}
    #sbp.rate<index, 1.0e12>]>

// -----

sbp.machine @rate_c1_rate [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10>]
  device #sbp.device<memory = 1.0e9, bandwidth = 1.0e9, rates = [
    // expected-error @+1 {{rate of 'f32' is 0.000000e+00; it must be from 1e-30 to 1e30}}
    #sbp.rate<f32, 0.0>]>

// -----

sbp.machine @rate_c2_flops [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10>]
  device #sbp.device<memory = 1.0e9, bandwidth = 1.0e9, rates = [
    // expected-error @+1 {{efficiency of 'f32' is given at 0.000000e+00 FLOPs; they must be from 1e-30 to 1e30}}
    #sbp.rate<f32, 1.0e12, efficiency = [0.0 : 0.1]>]>

// -----

sbp.machine @rate_c2_ascends [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10>]
  device #sbp.device<memory = 1.0e9, bandwidth = 1.0e9, rates = [
    // expected-error @+1 {{efficiency of 'f32' is given at 1.000000e+06 FLOPs, then at 1.000000e+06; they must ascend}}
    #sbp.rate<f32, 1.0e12, efficiency = [1.0e6 : 0.1, 1.0e6 : 0.2]>]>

// -----

sbp.machine @rate_c2_fraction [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10>]
  device #sbp.device<memory = 1.0e9, bandwidth = 1.0e9, rates = [
    // expected-error @+1 {{efficiency of 'f32' at 1.000000e+06 FLOPs is 1.500000e+00; it must be from 1e-30 to 1}}
    #sbp.rate<f32, 1.0e12, efficiency = [1.0e6 : 1.5]>]>

// -----

sbp.machine @rate_c3 [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10>]
  device #sbp.device<memory = 1.0e9, bandwidth = 1.0e9, rates = [
    // expected-error @+1 {{efficiency of 'f32' makes an op of 1.000000e+06 FLOPs slower than one of 2.000000e+06}}
    #sbp.rate<f32, 1.0e12, efficiency = [1.0e6 : 0.1, 2.0e6 : 0.3]>]>

// -----

sbp.machine @device_c1 [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10>]
  // expected-error @+1 {{device has 0.000000e+00 bytes of memory and a bandwidth of 1.000000e+09; both must be from 1e-30 to 1e30}}
  device #sbp.device<memory = 0.0, bandwidth = 1.0e9>

// -----

sbp.machine @device_c2 [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10>]
  // expected-error @+1 {{device has two rates of 'f32'}}
  device #sbp.device<memory = 1.0e9, bandwidth = 1.0e9, rates = [#sbp.rate<f32, 1.0e12>, #sbp.rate<f32, 2.0e12>]>

// -----

sbp.machine @device_kind_is_known [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10>]
  // expected-error @+1 {{kind of a device is 'tpu'; it must be cpu or gpu}}
  device #sbp.device<kind = tpu, memory = 1.0e9, bandwidth = 1.0e9>

// -----

// expected-error @+1 {{has 32 levels; at most 31 are known}}
sbp.machine @machine_c1_few_levels [
  #sbp.level<"l0" x 1, alpha = 0.0, beta = 0.0>, #sbp.level<"l1" x 1, alpha = 0.0, beta = 0.0>,
  #sbp.level<"l2" x 1, alpha = 0.0, beta = 0.0>, #sbp.level<"l3" x 1, alpha = 0.0, beta = 0.0>,
  #sbp.level<"l4" x 1, alpha = 0.0, beta = 0.0>, #sbp.level<"l5" x 1, alpha = 0.0, beta = 0.0>,
  #sbp.level<"l6" x 1, alpha = 0.0, beta = 0.0>, #sbp.level<"l7" x 1, alpha = 0.0, beta = 0.0>,
  #sbp.level<"l8" x 1, alpha = 0.0, beta = 0.0>, #sbp.level<"l9" x 1, alpha = 0.0, beta = 0.0>,
  #sbp.level<"l10" x 1, alpha = 0.0, beta = 0.0>, #sbp.level<"l11" x 1, alpha = 0.0, beta = 0.0>,
  #sbp.level<"l12" x 1, alpha = 0.0, beta = 0.0>, #sbp.level<"l13" x 1, alpha = 0.0, beta = 0.0>,
  #sbp.level<"l14" x 1, alpha = 0.0, beta = 0.0>, #sbp.level<"l15" x 1, alpha = 0.0, beta = 0.0>,
  #sbp.level<"l16" x 1, alpha = 0.0, beta = 0.0>, #sbp.level<"l17" x 1, alpha = 0.0, beta = 0.0>,
  #sbp.level<"l18" x 1, alpha = 0.0, beta = 0.0>, #sbp.level<"l19" x 1, alpha = 0.0, beta = 0.0>,
  #sbp.level<"l20" x 1, alpha = 0.0, beta = 0.0>, #sbp.level<"l21" x 1, alpha = 0.0, beta = 0.0>,
  #sbp.level<"l22" x 1, alpha = 0.0, beta = 0.0>, #sbp.level<"l23" x 1, alpha = 0.0, beta = 0.0>,
  #sbp.level<"l24" x 1, alpha = 0.0, beta = 0.0>, #sbp.level<"l25" x 1, alpha = 0.0, beta = 0.0>,
  #sbp.level<"l26" x 1, alpha = 0.0, beta = 0.0>, #sbp.level<"l27" x 1, alpha = 0.0, beta = 0.0>,
  #sbp.level<"l28" x 1, alpha = 0.0, beta = 0.0>, #sbp.level<"l29" x 1, alpha = 0.0, beta = 0.0>,
  #sbp.level<"l30" x 1, alpha = 0.0, beta = 0.0>, #sbp.level<"l31" x 1, alpha = 0.0, beta = 0.0>]

// -----

sbp.machine @m [#sbp.level<"l" x 1, alpha = 0.0, beta = 0.0>]
// expected-error @+1 {{has 32 axes; at most 31 are known}}
sbp.mesh @mesh_c1_few_axes of @m [
  #sbp.axis<"a0" x 1 in "l">, #sbp.axis<"a1" x 1 in "l">, #sbp.axis<"a2" x 1 in "l">, #sbp.axis<"a3" x 1 in "l">,
  #sbp.axis<"a4" x 1 in "l">, #sbp.axis<"a5" x 1 in "l">, #sbp.axis<"a6" x 1 in "l">, #sbp.axis<"a7" x 1 in "l">,
  #sbp.axis<"a8" x 1 in "l">, #sbp.axis<"a9" x 1 in "l">, #sbp.axis<"a10" x 1 in "l">, #sbp.axis<"a11" x 1 in "l">,
  #sbp.axis<"a12" x 1 in "l">, #sbp.axis<"a13" x 1 in "l">, #sbp.axis<"a14" x 1 in "l">, #sbp.axis<"a15" x 1 in "l">,
  #sbp.axis<"a16" x 1 in "l">, #sbp.axis<"a17" x 1 in "l">, #sbp.axis<"a18" x 1 in "l">, #sbp.axis<"a19" x 1 in "l">,
  #sbp.axis<"a20" x 1 in "l">, #sbp.axis<"a21" x 1 in "l">, #sbp.axis<"a22" x 1 in "l">, #sbp.axis<"a23" x 1 in "l">,
  #sbp.axis<"a24" x 1 in "l">, #sbp.axis<"a25" x 1 in "l">, #sbp.axis<"a26" x 1 in "l">, #sbp.axis<"a27" x 1 in "l">,
  #sbp.axis<"a28" x 1 in "l">, #sbp.axis<"a29" x 1 in "l">, #sbp.axis<"a30" x 1 in "l">, #sbp.axis<"a31" x 1 in "l">]

// -----

sbp.machine @device_unit [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10>]
  // expected-error @+1 {{'GX' is no unit of bytes; units are B, KB, MB, GB, TB, KiB, MiB, GiB, TiB}}
  device #sbp.device<memory = 80GX, bandwidth = 1.0e9>

// -----

// expected-error @+2 {{a launch takes -1.000000e-06 s on the device; it must be from 0 to 1}}
sbp.machine @device_c3 [#sbp.level<"gpu" x 2, alpha = 1.0e-6, beta = 1.0e-10>]
  device #sbp.device<launch = -1.0e-6, memory = 80GB, bandwidth = 1.0e9>
