//! Which machine instructions the sweep uses.

use std::fmt;
use std::str::FromStr;

/// A version of the sweep's inner loops. All give identical results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kernel {
    /// Plain words, on every machine.
    Portable,
    /// The 128-bit registers of aarch64.
    Neon,
    /// 256-bit registers.
    Avx2,
    /// 512-bit registers: AVX-512 F, BW, DQ, VL and VPOPCNTDQ.
    Avx512,
}

impl Kernel {
    /// All versions, the fastest last.
    pub const ALL: [Kernel; 4] = [Kernel::Portable, Kernel::Neon, Kernel::Avx2, Kernel::Avx512];

    /// The fastest version that this CPU can run.
    #[must_use]
    pub fn best() -> Kernel {
        Kernel::ALL
            .into_iter()
            .rfind(|kernel| kernel.is_supported())
            .unwrap_or(Kernel::Portable)
    }

    /// Whether this CPU can run it.
    #[must_use]
    pub fn is_supported(self) -> bool {
        match self {
            Kernel::Portable => true,
            Kernel::Neon => cfg!(all(target_arch = "aarch64", target_endian = "little")),
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("popcnt")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
            }
            #[cfg(target_arch = "x86_64")]
            Kernel::Avx512 => {
                Kernel::Avx2.is_supported()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512vpopcntdq")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Kernel::Avx2 | Kernel::Avx512 => false,
        }
    }

    /// `portable`, `neon`, `avx2` or `avx512`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kernel::Portable => "portable",
            Kernel::Neon => "neon",
            Kernel::Avx2 => "avx2",
            Kernel::Avx512 => "avx512",
        }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Kernel {
    type Err = String;

    /// Reads a name; `auto` is the best version that this CPU can run.
    fn from_str(text: &str) -> Result<Kernel, String> {
        if text == "auto" {
            return Ok(Kernel::best());
        }
        let kernel = Kernel::ALL
            .into_iter()
            .find(|kernel| kernel.name() == text)
            .ok_or_else(|| {
                format!("unknown kernel '{text}': expected auto, avx512, avx2, neon or portable")
            })?;
        if kernel.is_supported() {
            Ok(kernel)
        } else {
            Err(format!(
                "this CPU cannot run the kernel '{kernel}'; its best is '{}': use --kernel auto",
                Kernel::best()
            ))
        }
    }
}
