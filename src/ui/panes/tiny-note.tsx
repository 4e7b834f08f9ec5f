import {cutEnd} from '../../text/cut.ts';
import {span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';
import {Rows} from '../kit/rows.tsx';
import {minimum} from '../layout.ts';
import {paint} from '../theme/theme.ts';
import {useTheme} from '../theme/use-theme.ts';
import {useApp} from '../use-app.ts';

/** Shown when the screen is too small for the panes. Everything keeps running behind it. */
export function TinyNote({columns, rows}: {readonly columns: number; readonly rows: number}) {
	const theme = useTheme();
	const {keys} = useApp();
	const words = [
		safe`quarterdeck needs ${minimum.columns} x ${minimum.rows}`,
		safe`this is ${columns} x ${rows}`,
		safe`${keys.label('quit')} quits`,
	];
	return (
		<Rows
			rect={{x: 0, y: 0, width: columns, height: rows}}
			rows={words.slice(0, rows).map(text => paint([span(cutEnd(text, columns))], theme))}
		/>
	);
}
