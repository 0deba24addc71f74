//! A picture of ratios: a bar for each, to the left of one or to the right.

use super::svg::{Axis, bar, begin, label, line, ring, text};

const WIDTH: f64 = 760.0;
const ROW: f64 = 15.0;
/// Where rows begin and where bars may be.
const TOP: f64 = 66.0;
const BARS: [f64; 2] = [150.0, 690.0];

const WON: &str = "#2ca02c";
const EVEN: &str = "#bbbb55";
const LOST: &str = "#d62728";
const MARK: &str = "#1f77b4";

/// A bar and its mark.
pub(super) struct Row {
    pub(super) name: String,
    pub(super) ratio: f64,
    pub(super) mark: Option<f64>,
}

/// Bars under a title each.
pub(super) struct Group {
    pub(super) title: String,
    pub(super) rows: Vec<Row>,
}

/// What is drawn.
pub(super) struct Bars {
    pub(super) title: String,
    /// What a ring says.
    pub(super) mark: String,
    /// What is as good as one.
    pub(super) noise: f64,
    pub(super) groups: Vec<Group>,
}

impl Bars {
    /// The picture. A row whose ratio is not above zero has no bar.
    pub(super) fn svg(&self) -> String {
        let rows = || self.groups.iter().flat_map(|group| &group.rows);
        let values = rows().flat_map(|row| [Some(row.ratio), row.mark]).flatten();
        // One is where bars begin; there is room on both sides of it.
        let axis = Axis::over(values.chain([0.9, 1.1]), BARS[0], BARS[1]);
        let count = rows().count() + self.groups.len();
        let bottom = TOP + ROW * count as f64;
        let mut svg = begin(WIDTH, bottom + 12.0);
        text(&mut svg, (12.0, 18.0), "start", &self.title);
        self.legend(&mut svg);
        for (value, x) in axis.ticks() {
            line(&mut svg, &[(x, TOP - 4.0), (x, bottom)], "#ddd", 1.0);
            text(&mut svg, (x, TOP - 8.0), "middle", &label(value));
        }
        let mut y = TOP;
        for group in &self.groups {
            text(&mut svg, (12.0, y + 11.0), "start", &group.title);
            y += ROW;
            for row in &group.rows {
                self.row(&mut svg, &axis, row, y);
                y += ROW;
            }
        }
        svg + "</svg>\n"
    }

    fn legend(&self, svg: &mut String) {
        let words = [(WON, "faster"), (EVEN, "as fast, within noise"), (LOST, "slower")];
        let mut x = 12.0;
        for (colour, word) in words {
            bar(svg, (x, 28.0), (10.0, 10.0), colour);
            text(svg, (x + 14.0, 37.0), "start", word);
            x += 40.0 + 6.5 * word.len() as f64;
        }
        ring(svg, (x + 5.0, 33.0), MARK);
        text(svg, (x + 14.0, 37.0), "start", &self.mark);
    }

    fn row(&self, svg: &mut String, axis: &Axis, row: &Row, y: f64) {
        text(svg, (BARS[0] - 8.0, y + 11.0), "end", &row.name);
        let (Some(one), Some(end)) = (axis.place(1.0), axis.place(row.ratio)) else { return };
        let colour = match row.ratio {
            ratio if ratio < 1.0 / self.noise => WON,
            ratio if ratio <= self.noise => EVEN,
            _ => LOST,
        };
        let (left, width) = (one.min(end), (one - end).abs().max(1.0));
        bar(svg, (left, y + 2.0), (width, ROW - 4.0), colour);
        let beside = row.mark.and_then(|mark| axis.place(mark));
        if let Some(x) = beside {
            ring(svg, (x, y + ROW / 2.0), MARK);
        }
        // Behind the bar and what may stand there.
        let x = one.max(end).max(beside.unwrap_or(0.0)) + 8.0;
        text(svg, (x, y + 11.0), "start", &super::format::number(row.ratio));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_go_left_when_faster_and_right_when_slower() {
        let row =
            |name: &str, ratio: f64, mark: Option<f64>| Row { name: name.to_owned(), ratio, mark };
        let rows =
            vec![row("fast", 0.1, None), row("same", 1.0, None), row("slow", 10.0, Some(5.0))];
        let bars = Bars {
            title: "t".to_owned(),
            mark: "other".to_owned(),
            noise: 1.08,
            groups: vec![Group { title: "class".to_owned(), rows }],
        };
        let svg = bars.svg();
        let middle = (BARS[0] + BARS[1]) / 2.0;
        let of = |colour: &str, x: f64, width: f64| {
            let start = format!("<rect x=\"{x:.1}\"");
            let end = format!("width=\"{width:.1}\" height=\"11.0\" fill=\"{colour}\"/>");
            svg.lines().any(|line| line.starts_with(&start) && line.ends_with(&end))
        };
        assert!(of(WON, BARS[0], middle - BARS[0]), "{svg}");
        assert!(of(EVEN, middle, 1.0), "{svg}");
        assert!(of(LOST, middle, BARS[1] - middle), "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
