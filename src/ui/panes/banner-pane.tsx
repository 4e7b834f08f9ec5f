import {padLine} from '../../text/cells/line.ts';
import {bannerLines} from '../banner-lines.ts';
import {Rows} from '../kit/rows.tsx';
import type {Layout} from '../layout.ts';
import {paint} from '../theme/theme.ts';
import {useTheme} from '../theme/use-theme.ts';
import {useApp} from '../use-app.ts';

/** What keeps the service from being used, and the remedy, above every view. */
export function BannerPane({layout}: {readonly layout: Layout}) {
	const parts = useApp();
	const theme = useTheme();
	const {banner: rect, rows} = layout;
	if (!rect) return undefined;
	const lines = bannerLines(parts, rect.width, rows);
	return <Rows rect={rect} rows={lines.map(line => paint(padLine(line, rect.width), theme))} />;
}
