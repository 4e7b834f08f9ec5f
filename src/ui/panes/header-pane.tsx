import {useStore} from 'zustand';
import type {Lists} from '../../state/lists.ts';
import {Rows} from '../kit/rows.tsx';
import type {Rect} from '../layout.ts';
import {paint} from '../theme.ts';
import {useApp} from '../use-app.ts';
import {useNow} from '../use-now.ts';
import {useTheme} from '../use-theme.ts';
import {headerChangesAt, headerLine} from './header-line.ts';

/** Who needs the user, and the truth about the connection. */
export function HeaderPane({
	rect,
	counts,
	place,
}: {
	readonly rect: Rect;
	readonly counts: Lists['counts'];
	readonly place?: string;
}) {
	const {stores, profile, keyFrom, isConnected} = useApp();
	const theme = useTheme();
	const connection = useStore(stores.connection);
	const now = useNow(at => headerChangesAt(connection, at));
	const line = headerLine(
		{profile, isConnected, counts, connection, now, ...(keyFrom && {keyFrom}), ...(place !== undefined && {place})},
		rect.width,
	);
	return <Rows rect={rect} rows={[paint(line, theme)]} />;
}
