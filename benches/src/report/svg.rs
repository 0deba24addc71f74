//! The strokes that pictures are made of.

use std::fmt::Write;

/// A picture of that size with a white ground, which reads on dark pages, too.
pub(super) fn begin(width: f64, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    )
}

/// Straight from point to point.
pub(super) fn line(svg: &mut String, points: &[(f64, f64)], colour: &str, width: f64) {
    let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    // Writing to a string does not fail.
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"/>",
        points.join(" ")
    );
}

/// A full circle.
pub(super) fn dot(svg: &mut String, (x, y): (f64, f64), colour: &str) {
    // Writing to a string does not fail.
    let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"{colour}\"/>");
}

/// A small circle that what is below shows through.
pub(super) fn ring(svg: &mut String, (x, y): (f64, f64), colour: &str) {
    // Writing to a string does not fail.
    let _ = writeln!(
        svg,
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"none\" stroke=\"{colour}\" \
         stroke-width=\"1.5\"/>"
    );
}

/// A full rectangle between two corners.
pub(super) fn bar(svg: &mut String, (left, top): (f64, f64), size: (f64, f64), colour: &str) {
    let (width, height) = size;
    // Writing to a string does not fail.
    let _ = writeln!(
        svg,
        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
         fill=\"{colour}\"/>"
    );
}

/// Words; the anchor is `start`, `middle` or `end`.
pub(super) fn text(svg: &mut String, (x, y): (f64, f64), anchor: &str, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    // Writing to a string does not fail.
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>");
}

/// An axis by powers of ten.
pub(super) struct Axis {
    /// The least and the largest exponent.
    exponents: [f64; 2],
    /// Where those are.
    ends: [f64; 2],
}

impl Axis {
    /// One that has room for the values, those that are not above zero left out.
    pub(super) fn over(values: impl Iterator<Item = f64>, start: f64, end: f64) -> Axis {
        let logarithms = values.filter(|&value| value > 0.0).map(f64::log10);
        let (least, most) = logarithms
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        let exponents = if least <= most {
            [least.floor(), most.ceil().max(least.floor() + 1.0)]
        } else {
            [0.0, 1.0]
        };
        Axis { exponents, ends: [start, end] }
    }

    /// Where a value is, if it is above zero.
    pub(super) fn place(&self, value: f64) -> Option<f64> {
        let [low, high] = self.exponents;
        let share = (value.log10() - low) / (high - low);
        (value > 0.0).then(|| self.ends[0] + share * (self.ends[1] - self.ends[0]))
    }

    /// The powers of ten and where they are; if they are few, what is between them, too.
    pub(super) fn ticks(&self) -> impl Iterator<Item = (f64, f64)> {
        let [low, high] = self.exponents;
        let steps: &[f64] = if high - low <= 2.0 { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let powers = (low as i32..=high as i32).map(|exponent| 10_f64.powi(exponent));
        let values = powers.flat_map(|power| steps.iter().map(move |step| step * power));
        let values = values.filter(move |&value| value <= 10_f64.powf(high));
        values.filter_map(|value| Some((value, self.place(value)?)))
    }
}

/// A tick as it stands beside an axis.
pub(super) fn label(value: f64) -> String {
    if value >= 0.001 { format!("{value}") } else { format!("{value:.0e}") }
}
