//! Pictures of numbers, as SVG: both axes by powers of ten, colours that stand on white.

use super::svg::{Axis, begin, dot, label, line, text};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 420.0;
/// Left, top, right and bottom of what is between the axes.
const FRAME: [f64; 4] = [70.0, 56.0, 590.0, 360.0];

/// What a name needs beside a point.
const NAME: [f64; 2] = [100.0, 13.0];

/// Told apart by most eyes, and in the order in which they are given out.
const COLOURS: [&str; 12] = [
    "#d62728", "#1f77b4", "#2ca02c", "#ff7f0e", "#9467bd", "#8c564b", "#e377c2", "#17becf",
    "#7f7f7f", "#bcbd22", "#000000", "#00504e",
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
        let mut svg = begin(WIDTH, HEIGHT);
        text(&mut svg, (12.0, 18.0), "start", &self.title);
        text(&mut svg, ((FRAME[0] + FRAME[2]) / 2.0, HEIGHT - 12.0), "middle", &self.across);
        text(&mut svg, (12.0, FRAME[1] - 16.0), "start", &self.up);
        for (value, x) in across.ticks() {
            line(&mut svg, &[(x, FRAME[1]), (x, FRAME[3])], "#ddd", 1.0);
            text(&mut svg, (x, FRAME[3] + 18.0), "middle", &label(value));
        }
        for (value, y) in up.ticks() {
            line(&mut svg, &[(FRAME[0], y), (FRAME[2], y)], "#ddd", 1.0);
            text(&mut svg, (FRAME[0] - 6.0, y + 4.0), "end", &label(value));
        }
        let mut names: Vec<(f64, f64)> = Vec::new();
        for (series, colour, height) in self.legend() {
            let places: Vec<(f64, f64)> = series
                .points
                .iter()
                .filter_map(|&(x, y)| Some((across.place(x)?, up.place(y)?)))
                .collect();
            if places.len() > 1 {
                line(&mut svg, &places, colour, 2.0);
            }
            if let [(x, y)] = places[..] {
                dot(&mut svg, (x, y), colour);
                let mut beside = (x + 8.0, y + 4.0);
                while names.iter().any(|&name| overlap(name, beside)) {
                    beside.1 -= NAME[1];
                }
                names.push(beside);
                text(&mut svg, beside, "start", &series.name);
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

/// Whether names at two places would be one over the other.
fn overlap(a: (f64, f64), b: (f64, f64)) -> bool {
    (a.0 - b.0).abs() < NAME[0] && (a.1 - b.1).abs() < NAME[1]
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
        assert!(svg.contains("points=\"70.0,314.2 590.0,135.5\""), "{svg}");
        assert!(svg.contains(">point &lt;<") && svg.contains(">nothing<"), "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
