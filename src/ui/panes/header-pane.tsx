import {memo} from 'react';
import {useStore} from 'zustand';
import type {Lists} from '../../state/lists/lists.ts';
import {padLine} from '../../text/cells/line.ts';
import {bannerLines} from '../banner-lines.ts';
import {Rows} from '../kit/pane.tsx';
import {useNow} from '../kit/use-now.ts';
import type {Layout, Rect} from '../layout.ts';
import {useZone, zoneOrder} from '../mouse/zones.ts';
import {paint} from '../theme/theme.ts';
import {useDisplay, useTheme} from '../theme/use-theme.ts';
import {useApp} from '../use-app.ts';
import {headerChangesAt, headerLine, headerPart} from './header-line.ts';

type Props = {
	readonly rect: Rect;
	readonly counts: Lists['counts'];
	readonly location: string | undefined;
};

/** The header: how many sessions need the user, and the connection's state. */
export const HeaderPane = memo(({rect, counts, location}: Props) => {
	const parts = useApp();
	const {stores, profile, keys} = parts;
	const {name, host, newKey, isConnected} = profile;
	const theme = useTheme();
	const {hasReducedMotion} = useDisplay();
	const connection = useStore(stores.connection);
	// Known once usage is read.
	const organization = useStore(stores.organization, profile.organizationName);
	const now = useNow(at => headerChangesAt(connection, counts, at));
	const data = {
		profile: name,
		host,
		organization,
		hasNewKey: newKey !== undefined,
		isConnected,
		counts,
		connection,
		now,
		keys,
		hasReducedMotion,
		location,
	};
	useZone({
		rect,
		order: zoneOrder.pane,
		press({x}) {
			parts.input.perform(parts, actions[headerPart(data, rect.width, x)]);
		},
	});
	return <Rows rect={rect} rows={[paint(headerLine(data, rect.width), theme)]} />;
});

/** Actions of a click on each part of the header. */
const actions = {name: 'palette', counts: 'next-needs', connection: 'view-events'} as const;

/** The banner above every view: why the service can't be used, and the remedy. */
export function BannerPane({layout}: {readonly layout: Layout}) {
	const parts = useApp();
	const theme = useTheme();
	// The layout only knows how many rows it takes.
	useStore(parts.stores.connection);
	useStore(parts.hooks.hint);
	const {banner: rect, rows} = layout;
	if (!rect) return undefined;
	const lines = bannerLines(parts, rect.width, rows);
	return <Rows rect={rect} rows={lines.map(line => paint(padLine(line, rect.width), theme))} />;
}
