//! Records values with the crate hdrhistogram and writes an interval log. First argument: a file of
//! lines "second tag value", separated by spaces, in the order of seconds and tags; second argument:
//! the log.
use hdrhistogram::serialization::{interval_log, V2DeflateSerializer};
use hdrhistogram::Histogram;
use std::error::Error;
use std::time::Duration;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().collect();
    let values = fs::read_to_string(&arguments[1])?;
    let mut log = fs::File::create(&arguments[2])?;
    let mut serializer = V2DeflateSerializer::new();
    let mut writer =
        interval_log::IntervalLogWriterBuilder::new().begin_log_with(&mut log, &mut serializer)?;

    let mut lines = values.lines().map(fields).peekable();
    while let Some((second, tag, _)) = lines.peek().cloned() {
        let mut interval = Histogram::<u64>::new_with_bounds(1, 3_600_000_000_000, 3)?;
        while let Some((_, _, value)) = lines.next_if(|next| next.0 == second && next.1 == tag) {
            interval.record(value)?;
        }
        writer
            .write_histogram(
                &interval,
                Duration::from_secs(second),
                Duration::from_secs(1),
                interval_log::Tag::new(tag),
            )
            .map_err(|e| format!("{e:?}"))?;
    }
    Ok(())
}

fn fields(line: &str) -> (u64, &str, u64) {
    let mut fields = line.split(' ');
    let mut next = || fields.next().expect("three fields");
    (next().parse().expect("second"), next(), next().parse().expect("value"))
}
