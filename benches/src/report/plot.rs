//! Pictures of numbers, as SVG: both axes by powers of ten, colours that stand on white.

use std::fmt::Write;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 420.0;
/// Left, top, right and bottom of what is between the axes.
const FRAME: [f64; 4] = [70.0, 30.0, 590.0, 360.0];

/// Told apart by most eyes, and in the order in which they are given out.
const COLOURS: [&str; 9] = [
    "#d62728", "#1f77b4", "#2ca02c", "#ff7f0e", "#9467bd", "#8c564b", "#e377c2", "#17becf",
    "#7f7f7f",
];

/// A line of points, or points alone.
pub(super) struct Series {
    pub(super) name: String,
    pub(super) points: Vec<(f64, f64)>,
}

/// What is drawn.
pub(super) struct Plot {
    pub(super) title: String,
    pub(super) across: String,
    pub(super) up: String,
    pub(super) series: Vec<Series>,
}

impl Plot {
    /// The picture. Numbers that are not above zero have no place in it.
    pub(super) fn svg(&self) -> String {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let across = Axis::over(points().map(|point| point.0), FRAME[0], FRAME[2]);
        let up = Axis::over(points().map(|point| point.1), FRAME[3], FRAME[1]);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
        );
        text(&mut svg, (FRAME[0], 18.0), "start", &self.title);
        text(&mut svg, ((FRAME[0] + FRAME[2]) / 2.0, HEIGHT - 12.0), "middle", &self.across);
        text(&mut svg, (8.0, FRAME[1] - 12.0), "start", &self.up);
        for (value, x) in across.ticks() {
            line(&mut svg, &[(x, FRAME[1]), (x, FRAME[3])], "#ddd", 1.0);
            text(&mut svg, (x, FRAME[3] + 18.0), "middle", &label(value));
        }
        for (value, y) in up.ticks() {
            line(&mut svg, &[(FRAME[0], y), (FRAME[2], y)], "#ddd", 1.0);
            text(&mut svg, (FRAME[0] - 6.0, y + 4.0), "end", &label(value));
        }
        for (series, colour, height) in self.legend() {
            let places: Vec<(f64, f64)> = series
                .points
                .iter()
                .filter_map(|&(x, y)| Some((across.place(x)?, up.place(y)?)))
                .collect();
            if places.len() > 1 {
                line(&mut svg, &places, colour, 2.0);
            }
            if places.len() == 1 {
                dot(&mut svg, places[0], colour);
                text(&mut svg, (places[0].0 + 8.0, places[0].1 + 4.0), "start", &series.name);
            } else {
                dot(&mut svg, (FRAME[2] + 16.0, height - 4.0), colour);
                text(&mut svg, (FRAME[2] + 26.0, height), "start", &series.name);
            }
        }
        svg + "</svg>\n"
    }

    /// The series with their colours and where their names stand.
    fn legend(&self) -> impl Iterator<Item = (&Series, &'static str, f64)> {
        let colours = COLOURS.iter().cycle();
        let heights = (0..).map(|row| FRAME[1] + 14.0 + 20.0 * f64::from(row));
        self.series
            .iter()
            .zip(colours)
            .zip(heights)
            .map(|((series, colour), y)| (series, *colour, y))
    }
}

/// An axis by powers of ten.
struct Axis {
    /// The least and the largest exponent.
    exponents: [f64; 2],
    /// Where those are.
    ends: [f64; 2],
}

impl Axis {
    fn over(values: impl Iterator<Item = f64>, start: f64, end: f64) -> Axis {
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

    fn place(&self, value: f64) -> Option<f64> {
        let [low, high] = self.exponents;
        let share = (value.log10() - low) / (high - low);
        (value > 0.0).then(|| self.ends[0] + share * (self.ends[1] - self.ends[0]))
    }

    fn ticks(&self) -> impl Iterator<Item = (f64, f64)> {
        let [low, high] = self.exponents.map(|exponent| exponent as i32);
        (low..=high).filter_map(|exponent| {
            let value = 10_f64.powi(exponent);
            Some((value, self.place(value)?))
        })
    }
}

fn label(value: f64) -> String {
    if value >= 0.001 { format!("{value}") } else { format!("{value:.0e}") }
}

fn line(svg: &mut String, points: &[(f64, f64)], colour: &str, width: f64) {
    let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    // Writing to a string does not fail.
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"/>",
        points.join(" ")
    );
}

fn dot(svg: &mut String, (x, y): (f64, f64), colour: &str) {
    // Writing to a string does not fail.
    let _ = writeln!(svg, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\" fill=\"{colour}\"/>");
}

fn text(svg: &mut String, (x, y): (f64, f64), anchor: &str, text: &str) {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    // Writing to a string does not fail.
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{text}</text>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_series_is_drawn_and_named_within_the_picture() {
        let series = |name: &str, points: &[(f64, f64)]| Series {
            name: name.to_owned(),
            points: points.to_vec(),
        };
        let plot = Plot {
            title: "t".to_owned(),
            across: "a".to_owned(),
            up: "u".to_owned(),
            series: vec![
                series("line", &[(1.0, 2.0), (1000.0, 30.0)]),
                series("point <", &[(5.0, 5.0)]),
                series("nothing", &[(0.0, 5.0)]),
            ],
        };
        let svg = plot.svg();
        assert!(svg.contains("points=\"70.0,310.3 590.0,116.3\""), "{svg}");
        assert!(svg.contains(">point &lt;<") && svg.contains(">nothing<"), "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
