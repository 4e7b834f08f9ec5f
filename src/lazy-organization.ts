import type {OrganizationReader} from './sync/organization/organization-reader.ts';

/** An organization reader that is loaded on first use: most runs never open the organization views. */
export function lazyOrganization(load: () => Promise<OrganizationReader>): OrganizationReader {
	let loaded: Promise<OrganizationReader> | undefined;
	return {
		read(...what) {
			let isEnded = false;
			let stop: (() => void) | undefined;
			loaded ??= load();
			void loaded.then(reader => {
				if (!isEnded) stop = reader.read(...what);
			});
			return () => {
				isEnded = true;
				stop?.();
			};
		},
	};
}
