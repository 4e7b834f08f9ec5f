import {useEffect, useState} from 'react';
import type {View} from '../../state/view/view.ts';
import type {Layout} from '../layout.ts';
import type {OrganizationView as Loaded, OrganizationPage} from './organization-view.tsx';

type Props = {readonly layout: Layout; readonly view: View; readonly name: OrganizationPage};

/** The loaded view component. Imported on first use to keep startup fast. */
let loaded: typeof Loaded | undefined;

/** Imports the organization's views on first use and renders them. */
export function LazyOrganization(props: Props) {
	const [View, setView] = useState(() => loaded);
	useEffect(() => {
		if (View) return;
		void import('./organization-view.tsx').then(({OrganizationView}) => {
			loaded = OrganizationView;
			setView(() => OrganizationView);
		});
	}, [View]);
	return View ? <View {...props} /> : undefined;
}
