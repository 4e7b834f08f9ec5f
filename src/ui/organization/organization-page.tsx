import {useEffect, useState} from 'react';
import type {PageProps, ScreenPage} from '../screen-page.ts';
import {leavePage, scrollPage} from './organization-bindings.ts';
import type {OrganizationView as Loaded, OrganizationPage} from './organization-view.tsx';

/** The loaded component, imported on first use to keep startup fast. */
let loaded: typeof Loaded | undefined;

function LazyOrganization(props: PageProps & {readonly name: OrganizationPage}) {
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

function organizationView(name: OrganizationPage, contexts: ScreenPage['contexts']): ScreenPage {
	return {
		Component: props => <LazyOrganization {...props} name={name} />,
		contexts,
		scroll: (parts, _, move) => scrollPage(parts, move),
		back: ({view}) => leavePage(view),
	};
}

export const organizationViews: Readonly<Record<OrganizationPage, ScreenPage>> = {
	usage: organizationView('usage', ({organization: {tab, opened}}) => {
		if (tab !== 'people' || opened.usage !== undefined) return ['usage', 'organization'];
		return ['people', 'opening', 'pages', 'usage', 'organization'];
	}),
	readiness: organizationView('readiness', ({organization: {opened, showsCriteria}}) => {
		if (opened.readiness === undefined) return ['readiness', 'opening', 'pages', 'organization'];
		return showsCriteria ? ['organization'] : ['report', 'organization'];
	}),
	controls: organizationView('controls', ({organization: {opened}}) =>
		opened.controls === undefined
			? ['controls', 'opening', 'pages', 'organization']
			: ['controls', 'organization'],
	),
	users: organizationView('users', ({organization: {opened}}) =>
		opened.users === undefined
			? ['people', 'opening', 'pages', 'users', 'organization']
			: ['users', 'organization'],
	),
};
